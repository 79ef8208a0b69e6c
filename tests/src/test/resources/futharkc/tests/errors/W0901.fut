-- A check remains at run time.
--
-- The attribute `#[warn(safety_checks)]` asks for a warning wherever the compiler must check an index or a size at run time.
--
-- Fix: use an operation without indexes, such as `map`, or mark the expression `#[unsafe]`.

def main [n] (xs: [n]i32) (i: i64): i32 = #[warn(safety_checks)] xs[i]
