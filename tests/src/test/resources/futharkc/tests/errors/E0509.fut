-- A return type mentions a component of a parameter.
--
-- The caller knows the parameter as a whole, but not the names inside of its pattern.
--
-- Fix: bind the component as a parameter of its own, or use a size parameter.

def main (n: i64, x: i32): [n]i32 = replicate n x
