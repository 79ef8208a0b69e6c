-- A recursive call passes another function than it was given.
--
-- A recursive function must pass its function parameters on unchanged. Otherwise the compiler would need a new version of the function for each level of recursion.
--
-- Fix: pass the parameter itself, and compute the change with other arguments.

def repeat (f: i32 -> i32) (n: i32) (x: i32): i32 =
  if n == 0 then x else repeat (\y -> f (f y)) (n - 1) (f x)
