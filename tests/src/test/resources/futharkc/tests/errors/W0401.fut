-- A number has no definite type, and gets a default.
--
-- Integers become `i32`, other numbers `f64`.
--
-- Fix: annotate a type.

def increase x = x + 1
