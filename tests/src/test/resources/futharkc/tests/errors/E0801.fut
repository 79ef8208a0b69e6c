-- An entry point is polymorphic.
--
-- Callers outside of the program cannot choose a type.
--
-- Fix: define an entry point for each type that callers need.

entry first [n] 't (xs: [n]t): t = xs[0]
