def main [n] (xs: [n]i32): i32 = i32.sum xs
