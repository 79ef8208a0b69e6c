-- Two sizes do not match.
--
-- The compiler cannot show that two arrays have the same size, which the function or operator needs.
--
-- Fix: give both parameters the same size, or assert a size with `:> [n]t`, which is checked at run time.

def main [n] [m] (xs: [n]f64) (ys: [m]f64): f64 = f64.sum (map2 (*) xs ys)
