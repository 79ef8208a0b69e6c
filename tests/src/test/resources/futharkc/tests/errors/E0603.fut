-- A unique result aliases a value that may not be consumed.
--
-- A caller may consume a result of unique type `*t`. The result aliases a parameter that is not unique.
--
-- Fix: return a copy, or make the parameter unique.

def fresh [n] (xs: [n]i32): *[n]i32 = xs
