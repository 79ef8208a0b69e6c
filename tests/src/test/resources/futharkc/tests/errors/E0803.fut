-- A size parameter of an entry point is not the size of a parameter.
--
-- The size occurs in parameters only as a part of an expression, such as `[n + 1]`, from which it cannot be computed.
--
-- Fix: use the size as the size of an array, or make it a value parameter.

entry middle [n] (xs: [n + 2]i32): [n]i32 = take n (drop 1 xs :> [n + 1]i32)
