-- A definition without value parameters has a size parameter and an unknown size.
--
-- Such a definition would have to be evaluated for each size.
--
-- Fix: make the size a value parameter.

def primes [n] : ([n]i32 -> i32, []i32) = (\_ -> 0, filter (> 1) [1, 2, 3])
