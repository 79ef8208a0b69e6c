-- A type that takes no arguments is applied to some.
--
-- Only a named type takes arguments, and they follow the name: `pair i32`.
--
-- Fix: name the type with `type`, or write the arguments after a type name.

type grid = (i32, i32) [3]
