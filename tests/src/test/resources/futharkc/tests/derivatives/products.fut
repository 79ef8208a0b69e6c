-- Adjoints of what all iterations of a map use, as sums over the iterations.
-- ==
-- entry: products layers
-- input { [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]] [[1.0, -1.0], [0.5, 2.0], [-2.0, 3.0]] }
-- output { true true true }
-- input { [[0.25]] [[-0.5]] } output { true true true }
-- input { empty([0][3]f64) [[1.0, -1.0], [0.5, 2.0], [-2.0, 3.0]] } output { true true true }
-- input { [[1.0, 2.0], [4.0, 5.0]] empty([2][0]f64) } output { true true true }

def dot [n] (xs: [n]f64) (ys: [n]f64) = f64.sum (map2 (*) xs ys)
def multiply [n] [m] [p] (a: [n][m]f64) (b: [m][p]f64) : [n][p]f64 =
  map (\r -> map (\c -> dot r c) (transpose b)) a

def near [n] [m] (a: [n][m]f64) (b: [n][m]f64) =
  and (flatten (map2 (map2 (\x y -> f64.abs (x - y) <= 1e-9 * (1 + f64.abs x))) a b))

def weights n m : [n][m]f64 = tabulate_2d n m (\i j -> f64.i64 (i * m + 2 * j + 1))

-- The adjoint of a b is c b^T for a, a^T c for b.
entry products [n] [m] [p] (a: [n][m]f64) (b: [m][p]f64) =
  let c = weights n p
  let (da, db) = vjp (\(a, b) -> multiply a b) (a, b) c
  in ( near da (multiply c (transpose b))
     , near db (multiply (transpose a) c)
     , near (vjp (\b -> multiply a b) b c) db )

-- With something after the products that needs their values, and something else that b goes to.
def layer [n] [m] [p] (a: [n][m]f64) (b: [m][p]f64) : [n][p]f64 =
  map (\r -> map2 (\c k -> f64.tanh (dot r c) + c[0] * f64.i64 k) (transpose b) (iota p)) a

def numeric [m] [p] (f: [m][p]f64 -> f64) (b: [m][p]f64) =
  let h = 1e-5
  let at i j d = f (tabulate_2d m p (\k l -> if k == i && l == j then b[k, l] + d else b[k, l]))
  in tabulate_2d m p (\i j -> (at i j h - at i j (-h)) / (2 * h))

entry layers [n] [m] [p] (a: [n][m]f64) (b: [m][p]f64) =
  let f b = f64.sum (flatten (map2 (map2 (*)) (layer a b) (weights n p)))
  let close a b = and (flatten (map2 (map2 (\x y -> f64.abs (x - y) <= 1e-5 * (1 + f64.abs x))) a b))
  let d = vjp f b 1
  let twice = vjp2 (\b -> f b * f b) b 1
  in (close d (numeric f b), near twice.1 (map (map (* (2 * f b))) d), f64.abs (twice.0 - f b * f b) < 1e-9)
