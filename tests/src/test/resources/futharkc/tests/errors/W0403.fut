-- A literal does not fit the type of its suffix, and wraps.
--
-- The literal means the number of the type with the same low bits. A float that is too large is infinite.
--
-- Fix: write the number that is meant, or a larger type.

def main (x: i8): i8 = x ^ 128i8
