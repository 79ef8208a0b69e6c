-- Literals, dimensions in another order, and single writes.
-- ==
-- entry: literal
-- input { 2.0 3.0 } output { 3.0 202.0 }

-- ==
-- entry: rotated
-- input { [[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]] } output { [[[1.0, 4.0], [2.0, 5.0], [3.0, 6.0]]] true }

-- ==
-- entry: written
-- input { [1.0, 2.0] 1i64 5.0 } output { [7.0, 0.0] 9.0 }
-- input { [1.0, 2.0] 4i64 5.0 } output { [7.0, 9.0] 0.0 }

-- ==
-- entry: interpolated
-- input { 2.0 5.0 0.25 } output { 0.75 0.25 3.0 }

entry literal (x: f64) (y: f64) = vjp (\(x, y) -> [x * y, 100 * y]) (x, y) [1, 2]

-- The dimensions go round; the adjoint's go back.
entry rotated (xs: [1][3][2]f64) =
  let f (a: [1][3][2]f64) : [2][1][3]f64 = transpose (map transpose a) |> map (map (map (* 1)))
  let seeds = tabulate_3d 2 1 3 (\i _ j -> f64.i64 (3 * i + j + 1))
  let g = vjp f xs seeds
  in (g, f64.sum (flatten_3d (jvp f xs xs)) == f64.sum (flatten_3d xs))

entry written (xs: [2]f64) (i: i64) (v: f64) =
  vjp (\(a, b) -> scatter (copy a) [i] [b]) (xs, v) [7, 9]

entry interpolated (x: f64) (y: f64) (t: f64) = vjp (\(x, y, t) -> f64.lerp x y t) (x, y, t) 1
