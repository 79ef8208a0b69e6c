def main [n] (xs: *[n][n]i32): *[n][n]i32 = xs with [0] = copy xs[1]
