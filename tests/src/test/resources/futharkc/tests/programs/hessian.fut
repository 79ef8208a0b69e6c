-- A Hessian, column by column: forward mode over reverse mode in a map whose width is that of the inner maps.
-- ==
-- input { [[1.0, 2.0], [0.5, -1.0]] [0.1, -0.2] }
-- output { [[1.2675, 1.785], [1.785, 5.07]] }
def energy [k] [m] (rows: [k][m]f64) (v: [m]f64): f64 =
  f64.sum (map (\r -> f64.sum (map2 (*) r v) ** 4) rows)

def unit (m: i64) (i: i64): [m]f64 = tabulate m (\j -> f64.bool (i == j))

entry main [k] [m] (rows: [k][m]f64) (v: [m]f64): [m][m]f64 =
  tabulate m (\i -> jvp (\u -> vjp (energy rows) u 1) v (unit m i))
