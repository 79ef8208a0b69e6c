-- The derivative of the logarithm of the gamma function is digamma.
-- ==
-- entry: lgamma
-- input { 1.0 } output { -0.5772156649015329 1.6449340668482264 }

-- ==
-- entry: gamma
-- input { 2.0 } output { 0.42278433509846713 0.42278433509846713 }

entry lgamma (x: f64) = (vjp f64.lgamma x 1, jvp (\y -> vjp f64.lgamma y 1) x 1)
entry gamma (x: f64) = (vjp f64.gamma x 1, jvp f64.gamma x 1)
