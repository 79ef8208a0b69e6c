-- A name is bound but not used.
--
-- The warning is about parameters and local names.
--
-- Fix: remove the name, or begin it with an underscore.

def main (x: i32) (y: i32): i32 = x + 1
