-- An unwritten size of a parameter gets a value.
--
-- The type of a parameter does not name its size. What follows is well-typed only if the parameter has one particular size.
--
-- Fix: write the size in the type of the parameter.

def main (b: bool) (xs: []i32): [3]i32 = if b then xs else [1, 2, 3]
