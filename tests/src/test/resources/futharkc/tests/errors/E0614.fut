-- The next value of a loop parameter aliases another parameter that is consumed.
--
-- The next iteration would consume one array in two parameters.
--
-- Fix: copy one of the values.

def main [n] (xs: *[n]i32) (ys: *[n]i32): i32 =
  let (a, b) =
    loop (a: *[n]i32, b: *[n]i32) = (xs, ys) for i < n do
      let c = a with [i] = b[i]
      in (c, c)
  in a[0] + b[0]
