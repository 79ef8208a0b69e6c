-- A unique type of a value that is no array.
--
-- `*` has no effect on types without arrays.
--
-- Fix: remove the `*`.

def main (x: *i32): i32 = x + 1
