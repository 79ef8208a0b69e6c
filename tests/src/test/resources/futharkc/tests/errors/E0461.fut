-- A recursive function with a function parameter is used as a value.
--
-- The compiler makes one version of the function for each argument function, and therefore needs direct calls in its body.
--
-- Fix: call the function with all arguments.

def repeat (f: i32 -> i32) (n: i32) (x: i32): i32 =
  let g = repeat
  in if n == 0 then x else g f (n - 1) (f x)
