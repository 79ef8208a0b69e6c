-- A literal is too large for its signed type, and means a negative number.
--
-- The literal has the bits of a negative number of the type.
--
-- Fix: write the negative number.

def main (x: i8): i8 = x ^ 128i8
