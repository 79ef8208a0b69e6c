-- The arithmetic mean of a non-empty array.
def mean [n] (xs: [n]f64): f64 = f64.sum xs / f64.i64 n
