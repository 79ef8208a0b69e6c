def main (b: bool) (xs: [3]i32): [3]i32 = if b then xs else [1, 2, 3]
