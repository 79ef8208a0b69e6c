-- The result of a recursive function is a function.
--
-- The compiler must know which function each call returns. It cannot know that for a recursive function.
--
-- Fix: make the parameter of the result a parameter of the recursive function.

def add (n: i32): i32 -> i32 =
  let f = add (n - 1)
  in \x -> 1 + f x
