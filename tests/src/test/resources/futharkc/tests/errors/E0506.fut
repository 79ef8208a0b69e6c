-- A function with a result of unknown size is an argument of a higher-order function.
--
-- The size of the result of `filter (> 0)` is known after each call only. The second argument of `>->` would need this size in the type of its parameter.
--
-- Fix: apply the functions one after the other.

def main (xs: []i32): i64 = (filter (> 0) >-> length) xs
