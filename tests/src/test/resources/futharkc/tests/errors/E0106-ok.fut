def main (x: f64): f64 = x * 1e200
