-- A size parameter of an entry point occurs in the result only.
--
-- Callers outside of the program cannot pass size parameters.
--
-- Fix: make the size a value parameter.

entry zeros [n] (x: i32): [n]i32 = replicate n x
