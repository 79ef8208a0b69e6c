-- The type of a parameter mentions a size that the caller cannot see.
--
-- The size is a component of another parameter's tuple or record.
--
-- Fix: bind the component as a parameter of its own, or use a size parameter.

def main (n: i64, _: bool) (xs: [n]i32): i32 = i32.sum xs
