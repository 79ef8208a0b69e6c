-- Products with zeros, and operators that do not commute.
-- ==
-- entry: products
-- input { [2.0, 3.0, 4.0] } output { [12.0, 8.0, 6.0] [12.0, 8.0, 6.0] }
-- input { [2.0, 0.0, 4.0] } output { [0.0, 8.0, 0.0] [0.0, 8.0, 0.0] }
-- input { [0.0, 0.0, 4.0] } output { [0.0, 0.0, 0.0] [0.0, 0.0, 0.0] }

-- ==
-- entry: matrices
-- input { [[1.0, 2.0, 3.0, 4.0], [0.0, 1.0, 2.0, 1.0], [2.0, 3.0, 1.0, 1.0]] } output { true true }

-- ==
-- entry: neutral
-- input { empty([0]f64) 2.0 } output { 1.0 1.0 1.0 }

-- ==
-- entry: lengths
-- input { [0.0] } output { [1.0] }
-- input { [3.0, 4.0] } output { [0.6, 0.8] }

entry products [n] (xs: [n]f64) =
  ( vjp f64.product xs 1
  , tabulate n (\i -> jvp f64.product xs (replicate n 0 with [i] = 1)) )

type mat = (f64, f64, f64, f64)

def mul ((a, b, c, d): mat) ((e, f, g, h): mat) : mat =
  (a * e + b * g, a * f + b * h, c * e + d * g, c * f + d * h)

def mats [n] (xs: [n][4]f64) = map (\r -> (r[0], r[1], r[2], r[3])) xs
def total ((a, b, c, d): mat) = a + 2 * b + 3 * c + 4 * d
def parallel [n] (xs: [n][4]f64) = total (reduce mul (1, 0, 0, 1) (mats xs))
def sequential [n] (xs: [n][4]f64) = total (loop a = (1, 0, 0, 1) for x in mats xs do mul a x)
def prefixes [n] (xs: [n][4]f64) = f64.sum (map total (scan mul (1, 0, 0, 1) (mats xs)))

def sequentialPrefixes [n] (xs: [n][4]f64) =
  (loop (a, s) = ((1, 0, 0, 1), 0) for x in mats xs do let b = mul a x in (b, s + total b)).1

entry matrices [n] (xs: [n][4]f64) =
  let same f g = and (flatten (map2 (map2 (==)) (vjp f xs 1) (vjp g xs 1)))
  in (same parallel sequential, same prefixes sequentialPrefixes)

-- Of nothing, the result is the neutral element.
entry neutral [n] (xs: [n]f64) (ne: f64) =
  let of op = vjp (\z -> reduce op z xs) ne 1
  in (of (+), of (*), of f64.hypot)

-- A single element is the result, whatever the operator's derivative is there.
entry lengths [n] (xs: [n]f64) = vjp (reduce f64.hypot 0) xs 1
