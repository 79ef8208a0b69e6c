-- Gradient descent on the sum of squared errors of a line through points.
-- ==
-- entry: main
-- input { [0.0, 1.0, 2.0, 3.0] [1.0, 3.0, 5.0, 7.0] 2000i64 }
-- output { 1.0 2.0 }

def cost [n] (xs: [n]f64) (ys: [n]f64) (a: f64, b: f64) : f64 =
  f64.sum (map2 (\x y -> (a + b * x - y) ** 2) xs ys)

entry main [n] (xs: [n]f64) (ys: [n]f64) (steps: i64) : (f64, f64) =
  loop (a, b) = (0, 0) for _i < steps do
    let (da, db) = vjp (cost xs ys) (a, b) 1
    in (a - 0.02 * da, b - 0.02 * db)
