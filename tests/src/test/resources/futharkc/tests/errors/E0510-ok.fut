def main [n] (_: i64, _: bool) (xs: [n]i32): i32 = i32.sum xs
