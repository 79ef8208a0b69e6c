-- Derivatives of one's own: in reverse mode only, and with what the function remembers.
-- ==
-- entry: plain
-- input { 3.0 } output { 9.0 6.0 100.0 }

-- ==
-- entry: taped
-- input { 3.0 } output { 9.0 30.0 }

-- ==
-- entry: nested
-- input { 4.0 } output { -0.03125 }

-- ==
-- entry: iterated
-- input { [1.0, 2.0] } output { [4.0, 5.0] }

def square (x: f64) = with_vjp (\y -> y * y) (\_ _ -> 100) x
entry plain x = (square x, jvp square x 1, vjp square x 1)

entry taped (x: f64) =
  vjp2 (with_vjp_tape (\y -> (y + 2, y * y)) (\(t, dy) -> 6 * t * dy)) x 1

def half (x: f64) = with_vjp f64.sqrt (\y dy -> dy / (2 * y)) x
entry nested x = vjp (\y -> vjp half y 1) x 1

entry iterated [n] (xs: [n]f64) =
  vjp (\v -> f64.sum (map (\x -> with_vjp (\y -> y * y) (\_ dy -> (xs[1] + x) * dy + xs[0]) x) v)) xs 1
