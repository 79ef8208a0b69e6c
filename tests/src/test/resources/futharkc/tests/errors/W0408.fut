-- A function with its own derivative uses an outer variable.
--
-- Reverse derivatives treat the outer variable as a constant.
--
-- Fix: pass the variable as an argument.

def main (a: f64) (x: f64): f64 = with_vjp (\y -> a * y) (\_ d -> d) x
