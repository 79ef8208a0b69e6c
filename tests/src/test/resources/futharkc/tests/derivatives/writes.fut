-- Scatters and histograms: what is out of range, overwritten, or not touched.
-- ==
-- entry: scattered
-- input { [1.0, 2.0, 3.0] [2i64, 7i64] [10.0, 20.0] } output { [1.0, 1.0, 0.0] [1.0, 0.0] }

-- ==
-- entry: added
-- input { [1.0, 2.0, 3.0] [2i64, 7i64, 2i64] [10.0, 20.0, 30.0] } output { [1.0, 1.0, 1.0] [1.0, 0.0, 1.0] }

-- ==
-- entry: multiplied
-- input { [1.0, 2.0, 0.0] [2i64, 7i64, 2i64, 1i64] [10.0, 20.0, 30.0, 0.0] }
-- output { [1.0, 0.0, 300.0] [0.0, 0.0, 0.0, 2.0] }
-- input { [1.0, 2.0] [0i64, 0i64, 0i64, 1i64, 1i64] [0.0, 2.0, 0.0, 0.0, 3.0] }
-- output { [0.0, 0.0] [0.0, 0.0, 0.0, 6.0, 0.0] }

-- ==
-- entry: largest
-- input { [1.0, 25.0, 3.0] [2i64, 7i64, 2i64, 1i64, 2i64] [10.0, 20.0, 30.0, 5.0, 30.0] }
-- output { [1.0, 1.0, 0.0] [0.0, 0.0, 1.0, 0.0, 0.0] }
-- input { [1.0, 30.0] [1i64] [30.0] } output { [1.0, 1.0] [0.0] }

-- ==
-- entry: pairs
-- input { [1i64, 0i64, 1i64] [2.0, 3.0, 4.0] } output { [16.0, 1.0, 14.0] }
-- input { [1i64, 7i64, 0i64, -3i64, 1i64] [2.0, 5.0, 3.0, 6.0, 4.0] } output { [16.0, 0.0, 1.0, 0.0, 14.0] }

-- ==
-- entry: turned
-- input { [1i64, 7i64, 0i64, -3i64, 1i64] [2.0, 5.0, 3.0, 6.0, 4.0] } output { [8.0, 0.0, 3.0, 0.0, 4.0] }

entry scattered [n] [k] (xs: [n]f64) (is: [k]i64) (vs: [k]f64) =
  vjp (\(a, b) -> scatter (copy a) is b) (xs, vs) (replicate n 1)

def hist [n] [k] (op: f64 -> f64 -> f64) (ne: f64) (xs: [n]f64) (is: [k]i64) (vs: [k]f64) =
  vjp (\(a, b) -> reduce_by_index (copy a) op ne is b) (xs, vs) (replicate n 1)

entry added [n] [k] (xs: [n]f64) (is: [k]i64) (vs: [k]f64) = hist (+) 0 xs is vs
entry multiplied [n] [k] (xs: [n]f64) (is: [k]i64) (vs: [k]f64) = hist (*) 1 xs is vs
entry largest [n] [k] (xs: [n]f64) (is: [k]i64) (vs: [k]f64) = hist f64.max f64.lowest xs is vs

entry pairs [k] (is: [k]i64) (vs: [k]f64) =
  let op (a, b) (c, d) : (f64, f64) = (a + c, b * d)
  in vjp (\v -> let (a, b) = unzip (reduce_by_index (replicate 2 (0, 1)) op (0, 1) is (zip v v))
                in a[0] + a[1] * a[1] + b[1]) vs 1

entry turned [k] (is: [k]i64) (vs: [k]f64) =
  let op (a, b) (c, d) : (f64, f64) = (a * c - b * d, a * d + b * c)
  in vjp (\v -> let (a, b) = unzip (reduce_by_index (replicate 2 (1, 0)) op (1, 0) is (zip v v))
                in a[0] + 2 * b[0] + 3 * a[1] + b[1]) vs 1
