def main [n] (xs: [n]i32) (ys: [n]i32): bool = and (map2 (==) xs ys)
