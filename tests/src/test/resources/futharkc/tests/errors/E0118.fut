-- An alternative of a sum type is no constructor.
--
-- The alternatives of a sum type are constructors, which start with `#`, with the types of their arguments.
--
-- Fix: put a constructor before the type.

type shape = #circle f64 | (f64, f64)
