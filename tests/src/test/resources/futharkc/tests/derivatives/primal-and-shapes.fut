-- The result itself, in place, and derivatives of the shape of what they are derivatives of.
-- ==
-- entry: forward
-- input { 2.0 [1.0, 3.0] } output { 5.0 [2.0, 6.0] 1.0 [1.0, 5.0] }
-- input { 2.0 empty([0]f64) } output { 1.0 empty([0]f64) 0.0 empty([0]f64) }

-- ==
-- entry: reverse
-- input { 2.0 [1.0, 3.0] } output { 5.0 [2.0, 6.0] 4.0 [20.0, 20.0] }
-- input { 2.0 empty([0]f64) } output { 1.0 empty([0]f64) 0.0 empty([0]f64) }

type t [n] = {scale: f64, values: [n]f64}

def f [n] (r: t [n]) : {total: f64, scaled: [n]f64} =
  {total = f64.sum r.values + 1, scaled = map (* r.scale) r.values}

entry forward [n] (scale: f64) (values: [n]f64) =
  let seeds = {scale = 1, values = map (\i -> f64.i64 i) (iota n)}
  let (y, dy) = jvp2 f {scale, values} seeds
  in (y.total, y.scaled, dy.total, dy.scaled)

entry reverse [n] (scale: f64) (values: [n]f64) =
  let seeds = {total = 18, scaled = replicate n 1}
  let (y, x) = vjp2 f {scale, values} seeds
  in (y.total, y.scaled, x.scale, x.values)
