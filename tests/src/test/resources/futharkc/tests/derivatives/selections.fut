-- Reductions whose operator chooses one of its operands.
-- ==
-- entry: least
-- input { [3.0, 1.0, 2.0, 1.0] } output { 1.0 1i64 [0.0, 1.0, 0.0, 0.0] }
-- input { [f64.inf, f64.inf] } output { f64.inf 0i64 [1.0, 0.0] }
-- input { empty([0]f64) } output { f64.inf 0i64 empty([0]f64) }

def first [n] (xs: [n]f64) =
  reduce_comm (\(a, i) (b, j) ->
                 if a < b then (a, i) else if b < a then (b, j) else if i < j then (a, i) else (b, j))
              (f64.inf, 0)
              (zip xs (iota n))

entry least [n] (xs: [n]f64) =
  let (a, i) = first xs
  in (a, i, vjp (\xs -> (first xs).0) xs 1)

-- The one nearest to zero, with what belongs to it.
-- ==
-- entry: nearest
-- input { [3.0, -1.0, 2.0] [10.0, 20.0, 30.0] } output { [0.0, 5.0, 0.0] [0.0, 7.0, 0.0] true }

def nearer (a: f64, u: f64) (b: f64, v: f64) = if f64.abs b < f64.abs a then (b, v) else (a, u)

entry nearest [n] (xs: [n]f64) (us: [n]f64) =
  let f xs us = reduce nearer (1e300, 0) (zip xs us)
  let (dx, du) = vjp (\(xs, us) -> f xs us) (xs, us) (5, 7)
  let g xs us = loop a = (1e300, 0) for b in zip xs us do nearer a b
  let (ex, eu) = vjp (\(xs, us) -> g xs us) (xs, us) (5, 7)
  in (dx, du, and (map2 (==) dx ex) && and (map2 (==) du eu))
