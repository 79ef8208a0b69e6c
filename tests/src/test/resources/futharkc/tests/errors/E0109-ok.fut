def main [n] (a: [n][n]f64) (i: i64): f64 = a[i, i]
