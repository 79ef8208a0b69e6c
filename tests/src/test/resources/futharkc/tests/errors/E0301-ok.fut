def main (radius: f64): f64 = f64.pi * radius ** 2
