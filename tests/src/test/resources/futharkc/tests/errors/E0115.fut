-- A named parameter is not followed by `->`.
--
-- `(n: i64)` in a type names the parameter of a function type: `(n: i64) -> [n]f32`.
--
-- Fix: add the result type, or remove the name.

type size = (n: i64)
