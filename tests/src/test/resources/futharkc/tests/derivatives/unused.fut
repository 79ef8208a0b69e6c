-- What does not matter has derivative zero.
-- ==
-- input { 3.0 [1.0, 2.0] } output { 0.0 [0.0, 0.0] [5.0, 5.0] [0.0, 0.0] 0.0 }
def main [n] (x: f64) (ys: [n]f64) =
  let (a, b) = vjp (\(_, zs: [n]f64) -> map (const 3f64) zs) (x, ys) (replicate n 1)
  let (c, d) = jvp2 (\(_: f64) -> replicate n 5f64) x 1
  in (a, b, c, d, vjp (\z -> ys[i64.f64 z % n]) x 1)
