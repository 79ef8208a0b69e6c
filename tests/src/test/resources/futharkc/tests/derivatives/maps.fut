-- Maps over what is free in them, too; sizes that vary.
-- ==
-- entry: both
-- input { [1.0, 2.0, 4.0] } output { [22.0, 15.0, 15.0] [12.0, 16.0, 24.0] }

-- ==
-- entry: sparse
-- input { [1.0, 2.0, 4.0] } output { [0.0, 12.0, 0.0] }

-- ==
-- entry: matrix
-- input { [[1.0, 2.0], [3.0, 4.0]] } output { [[4.0, 6.0], [4.0, 6.0]] }

def f [n] (xs: [n]f64) = map (\x -> x * (xs[0] + f64.sum xs)) xs
entry both [n] (xs: [n]f64) = (vjp f xs (replicate n 1), jvp f xs (replicate n 1))
entry sparse [n] (xs: [n]f64) = vjp (\v -> (map (\x -> x * x * x) v)[1]) xs 1
entry matrix [n] [m] (xss: [n][m]f64) =
  vjp (\m -> map (\r -> f64.sum (map2 (*) r (map f64.sum (transpose m)))) m |> f64.sum |> (/ 2)) xss 1
