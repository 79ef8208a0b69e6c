-- An entry point takes or returns a function.
--
-- Callers outside of the program cannot pass functions.
--
-- Fix: choose among functions by a number or a sum type.

entry apply (f: i32 -> i32) (x: i32): i32 = f x
