def main (n: i32) (x: f64): f64 = x * f64.i32 n
