-- The next value of a consumed loop parameter aliases a variable outside of the loop.
--
-- The next iteration would consume that variable.
--
-- Fix: copy the value at the end of the loop body.

def main [n] (xs: *[n]i32) (ys: [n]i32): *[n]i32 =
  loop xs for i < n do
    let _ = xs with [i] = 1
    in ys
