-- Derivatives within derivatives.
-- ==
-- entry: confusion
-- input { 3.0 } output { 1.0 1.0 }

-- ==
-- entry: third
-- input { 2.0 } output { 48.0 48.0 }

-- ==
-- entry: hessian
-- input { [1.0, 2.0, 3.0] } output { [[0.0, 3.0, 2.0], [3.0, 0.0, 1.0], [2.0, 1.0, 0.0]] }

entry confusion (x: f64) =
  ( jvp (\a -> a * jvp (\b -> a + b) a 1) x 1
  , vjp (\a -> a * vjp (\b -> a + b) a 1) x 1 )

def cube (x: f64) = x * x * x * x

entry third (x: f64) =
  ( vjp (\a -> vjp (\b -> vjp cube b 1) a 1) x 1
  , jvp (\a -> vjp (\b -> jvp cube b 1) a 1) x 1 )

entry hessian [n] (xs: [n]f64) =
  let f (v: [n]f64) = f64.product v
  in tabulate n (\i -> jvp (\v -> vjp f v 1) xs (replicate n 0 with [i] = 1))
