-- A recursive function with a function parameter is applied to too few arguments.
--
-- Inside its own body such a function must be called with all arguments.
--
-- Fix: give all arguments.

def repeat (f: i32 -> i32) (n: i32) (x: i32): i32 =
  let next = repeat f
  in if n == 0 then x else next (n - 1) (f x)
