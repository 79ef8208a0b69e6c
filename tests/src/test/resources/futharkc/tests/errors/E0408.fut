-- Values of this type cannot be compared with `==`.
--
-- Equality is defined on primitive types, and on arrays, tuples, records and sums of such types. Functions and values of abstract types cannot be compared.
--
-- Fix: pass a comparison function.

def contains [n] 't (xs: [n]t) (x: t): bool = any (\y -> x == y) xs
