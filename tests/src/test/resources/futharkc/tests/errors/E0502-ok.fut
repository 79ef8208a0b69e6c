def main [n] (xs: [n]f64) (ys: [n]f64): f64 = f64.sum (map2 (*) xs ys)
