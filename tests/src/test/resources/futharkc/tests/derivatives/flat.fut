-- Flat slices, and flat maps.
-- ==
-- entry: windows
-- input { [1.0, 2.0, 3.0, 4.0, 5.0] } output { [2.0, 8.0, 18.0, 16.0, 10.0] [2.0, 8.0, 18.0, 16.0, 10.0] }

-- ==
-- entry: strided
-- input { [1.0, 2.0, 3.0, 4.0, 5.0] } output { [2.0, 4.0, 6.0, 8.0, 0.0] }

-- ==
-- entry: updates
-- input { [1.0, 2.0, 3.0, 4.0] [[1.0, 2.0], [3.0, 4.0]] } output { [0.0, 0.0, 0.0, 0.0] [[1.0, 1.0], [1.0, 1.0]] }

def f (xs: [5]f64) = f64.sum (map (\r -> f64.sum (map (\x -> x * x) r)) (intrinsics.flat_index_2d xs 0 3 1 3 1))
entry windows (xs: [5]f64) =
  (vjp f xs 1, tabulate 5 (\i -> jvp f xs (replicate 5 0 with [i] = 1)))

entry updates (xs: [4]f64) (ys: [2][2]f64) =
  vjp (\(a, b) -> f64.sum (intrinsics.flat_update_2d (copy a) 0 2 1 b)) (xs, ys) 1

entry strided (xs: [5]f64) =
  vjp (\xs -> f64.sum (map (\r -> f64.sum (map (\x -> x * x) r)) (intrinsics.flat_index_2d xs 0 2 2 2 1))) xs 1
