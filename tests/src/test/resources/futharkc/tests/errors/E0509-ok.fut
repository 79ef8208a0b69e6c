def main (n: i64) (x: i32): [n]i32 = replicate n x
