-- A type or module type is not defined.
--
-- The primitive types are `i8` to `i64`, `u8` to `u64`, `f16`, `f32`, `f64` and `bool`.
--
-- Fix: correct the spelling, or define the type with `type`.

def main (x: int): int = x + 1
