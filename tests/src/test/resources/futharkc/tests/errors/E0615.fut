-- Two next values of loop parameters alias each other.
--
-- A consumed loop parameter shares memory with a value that the loop body has also returned.
--
-- Fix: copy one of the values.

def main [n] (xs: *[n]i32) (ys: [n]i32): i32 =
  let (a, b) =
    loop (a, b) = (xs, ys) for i < n do
      let c = a with [i] = b[i]
      in (c, c)
  in a[0] + b[0]
