-- The result of `if` or `match`, or a loop parameter, is a function.
--
-- The compiler replaces all functions by first-order code, and must know which function is called.
--
-- Fix: move the application into the branches.

def main (b: bool) (x: i32): i32 =
  let f = if b then (\y -> y + 1) else (\y -> y * 2)
  in f x
