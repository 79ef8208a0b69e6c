entry middle (n: i64) (xs: [n + 2]i32): [n]i32 = take n (drop 1 xs :> [n + 1]i32)
