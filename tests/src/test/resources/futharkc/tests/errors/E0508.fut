-- A size is bound but not used.
--
-- A size parameter must occur in the type of a parameter or of the result.
--
-- Fix: remove the size, or use it.

def main [n] (xs: []i32): i32 = i32.sum xs
