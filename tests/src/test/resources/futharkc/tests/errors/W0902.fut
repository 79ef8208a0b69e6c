-- A loop with an unknown number of iterations is marked for unrolling.
--
-- `#[unroll]` needs a constant number of iterations.
--
-- Fix: use a constant, or remove the attribute.

def main (n: i32): i32 = #[unroll] loop x = 1i32 for _i < n do x * 3
