-- | The program __name__.

-- | Returns the mean of `xs`.
-- ==
-- entry: mean
-- input { [1.0, 2.0, 6.0] } output { 3.0 }
entry mean [n] (xs: [n]f64) : f64 = f64.sum xs / f64.i64 n
