def main (x: i8): i8 = x ^ (-128i8)
