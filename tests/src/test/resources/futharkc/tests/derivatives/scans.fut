-- Scans by operators of every kind: the derivative is that of the loop.
-- ==
-- input { [1.0, 2.0, 3.0] } output { [3.0, 2.0, 1.0] [9.0, 4.0, 2.0] true true true }
def linear ((a, b): (f64, f64)) ((c, d): (f64, f64)) = (a * c, b * c + d)

def looped 't 'u [n] (op: t -> u -> t) (ne: t) (value: t -> f64) (xs: [n]u) =
  (loop (a, s) = (ne, 0) for x in xs do let b = op a x in (b, s + value b)).1

def main [n] (xs: [n]f64) =
  let ones = replicate n 1
  let near a b = and (map2 (\x y -> f64.abs (x - y) < 1e-9 * (1 + f64.abs x)) a b)
  let pairs v = zip v (map f64.sin v)
  let value (a, b) = a + b * b
  let blocks v = zip (pairs v) (map (\x -> x * x) v)
  let op (p, x) (q, y) = (linear p q, x + y)
  let valueOf (p, x) = value p * x
  in ( vjp (scan (+) 0) xs ones
     , vjp (scan (*) 1) xs ones
     , near (vjp (\v -> f64.sum (map value (scan linear (1, 0) (pairs v)))) xs 1)
            (vjp (\v -> looped linear (1, 0) value (pairs v)) xs 1)
     , near (vjp (\v -> f64.sum (map valueOf (scan op ((1, 0), 0) (blocks v)))) xs 1)
            (vjp (\v -> looped op ((1, 0), 0) valueOf (blocks v)) xs 1)
     , near (vjp (\v -> scan (map2 (*)) (replicate 2 1) (map (\x -> [x, x + 1]) v) |> map f64.sum |> f64.sum) xs 1)
            (vjp (\v -> looped (map2 (*)) (replicate 2 1) f64.sum (map (\x -> [x, x + 1]) v)) xs 1) )

-- Two recurrences with different factors, which the same operands make.
entry factors [n] (xs: [n]f64) =
  let op (a, b) (c, d) : (f64, f64) = (a * c, b * c * c + d)
  let pairs v = zip v (map f64.cos v)
  let value (a, b) = a * a + b
  in and (map2 (\x y -> f64.abs (x - y) < 1e-9)
               (vjp (\v -> f64.sum (map value (scan op (1, 0) (pairs v)))) xs 1)
               (vjp (\v -> looped op (1, 0) value (pairs v)) xs 1))

-- ==
-- entry: factors
-- input { [0.5, 2.0, 3.0] } output { true }
