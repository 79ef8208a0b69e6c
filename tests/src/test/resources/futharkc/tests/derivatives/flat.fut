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

-- ==
-- entry: written
-- input { [[1.0, 2.0], [3.0, 4.0]] } output { [[1.0, 2.0], [5.0, 6.0]] }

-- ==
-- entry: parts
-- input { [1i64, 2i64, 0i64, 3i64] [1.0, 2.0, 5.0, 3.0] [1.0, 2.0, 3.0, 4.0, 5.0, 6.0] } output { [2.0, 32.0, 0.0, 192.0] }

def f (xs: [5]f64) = f64.sum (map (\r -> f64.sum (map (\x -> x * x) r)) (intrinsics.flat_index_2d xs 0 3 1 3 1))
entry windows (xs: [5]f64) =
  (vjp f xs 1, tabulate 5 (\i -> jvp f xs (replicate 5 0 with [i] = 1)))

entry updates (xs: [4]f64) (ys: [2][2]f64) =
  vjp (\(a, b) -> f64.sum (intrinsics.flat_update_2d (copy a) 0 2 1 b)) (xs, ys) 1

entry strided (xs: [5]f64) =
  vjp (\xs -> f64.sum (map (\r -> f64.sum (map (\x -> x * x) r)) (intrinsics.flat_index_2d xs 0 2 2 2 1))) xs 1

-- Into an array that is constant itself.
entry written (xs: [2][2]f64) =
  vjp (\xs -> f64.sum (map2 (*) (intrinsics.flat_update_2d (replicate 9 0) 1 4 1 xs) (map f64.i64 (iota 9)))) xs 1

-- Each part of the concatenation has its own piece of the adjoint.
entry parts [n] [m] (ks: [n]i64) (xs: [n]f64) (seed: [m]f64) =
  let f xs =
    let (_, _, _, ys) = flatmap' (\(k, x) -> map (\i -> x * x * f64.i64 (i + 1)) (iota k)) (zip ks xs)
    in sized m ys
  in vjp f xs seed
