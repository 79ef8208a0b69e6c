-- The dot product of two vectors: one parallel map, fused into one parallel reduction.
--
-- ==
-- input @ dotproduct.in
-- output { 32.0f64 }
-- input { [0.5, -1.5, 2.0] [4.0, 2.0, 0.25] }
-- output { -0.5 }
-- input { empty([0]f64) empty([0]f64) }
-- output { 0.0 }

def main [n] (xs: [n]f64) (ys: [n]f64): f64 =
  reduce (+) 0 (map2 (*) xs ys)
