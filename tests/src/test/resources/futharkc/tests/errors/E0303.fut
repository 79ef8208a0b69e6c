-- A name is bound twice in one place.
--
-- Names of one pattern, one parameter list, one record or one module must be different.
--
-- Fix: rename one of them.

def main (x: i32) (x: i32): i32 = x + x
