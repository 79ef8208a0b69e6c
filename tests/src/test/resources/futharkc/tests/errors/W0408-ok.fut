def main (a: f64) (x: f64): f64 = a * with_vjp (\y -> y) (\_ d -> d) x
