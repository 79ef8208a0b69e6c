-- Arrays are compared with `==` or `!=`.
--
-- The language deprecates equality of arrays.
--
-- Fix: compare element by element, and combine the results.

def main [n] (xs: [n]i32) (ys: [n]i32): bool = xs == ys
