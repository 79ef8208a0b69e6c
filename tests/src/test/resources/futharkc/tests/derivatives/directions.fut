-- Several directions at a time are as many derivatives.
-- ==
-- input { [1.0, 2.0] [[1.0, 0.0], [0.0, 1.0], [2.0, 3.0]] } output { true true true true 0i64 0i64 }
def f [n] (xs: [n]f64) : (f64, [n]f64) =
  (f64.product xs, map2 (\x y -> f64.sin x * y) xs (scan (+) 0 xs))

def main [n] [k] (xs: [n]f64) (dss: [k][n]f64) =
  let same (a: ([k]f64, [k][n]f64)) b = and (map2 (==) a.0 b.0) && and (map2 (==) (flatten a.1) (flatten b.1))
  let seeds = map (\ds -> (ds[0], ds)) dss
  let (y, dys) = jmp2 f xs dss
  let (z, gs) = mjp2 f xs seeds
  let none = take 0 dss
  in ( same (unzip dys) (unzip (map (jvp f xs) dss))
     , and (map2 (==) (flatten gs) (flatten (map (vjp f xs) seeds)))
     , y.0 == z.0 && and (map2 (==) y.1 z.1)
     , y.0 == f64.product xs
     , length (jmp f xs none)
     , length (mjp f xs (take 0 seeds)) )
