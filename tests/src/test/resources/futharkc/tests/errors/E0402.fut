-- A value is applied like a function, or a function to too many arguments.
--
-- Application is written by juxtaposition: `f x y`.
--
-- Fix: remove the surplus arguments, or put parentheses around an argument that is itself an application.

def square (x: i32): i32 = x * x
def main (x: i32): i32 = square x x
