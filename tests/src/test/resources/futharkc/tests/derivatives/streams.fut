-- Maps of loops, and calls within them.
-- ==
-- input { [[1.0, 2.0], [3.0, 4.0]] } output { [[2.0, 2.0], [4.0, 4.0]] [[2.0, 2.0], [4.0, 4.0]] }
#[noinline]
def g (a: f64) (x: f64) = a * x + x

def f [n] [m] (xss: [n][m]f64) = map (\xs -> loop a = 0 for x in xs do g a x) xss
def main [n] [m] (xss: [n][m]f64) =
  ( vjp f xss (replicate n 1)
  , map (\i -> map (\j -> f64.sum (jvp f xss (tabulate_2d n m (\k l -> f64.bool (i == k && j == l))))) (iota m)) (iota n) )
