def grow (f: (n: i64) -> [n]i32 -> i32) (m: i64) (xs: [m]i32): bool =
  f m xs == f (m + 1) (xs ++ [1])
