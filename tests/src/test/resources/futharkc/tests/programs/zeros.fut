-- Of zeros of both signs, the minimum and the maximum is the first one, wherever the operands come from.
-- ==
-- input { -0.0 } output { -f64.inf f64.inf -f64.inf f64.inf }
def main (y: f64) =
  (1 / f64.min y 0, 1 / f64.min 0 y, 1 / f64.max y 0, 1 / f64.max 0 y)
