-- Inputs without elements.
-- ==
-- input { empty([0]f64) empty([0]i64) empty([0]f64) }
-- output { empty([0]f64) empty([0]f64) empty([0]f64) 0.0 0.0 empty([0]f64) empty([0]f64) [0.0, 0.0] empty([0][0]f64) }
def main [n] [d] (xs: [n]f64) (is: [n]i64) (ds: [d]f64) =
  let ones = map (const 1) xs
  in ( vjp (map (\x -> x * x)) xs ones
     , jvp (map f64.sin) xs xs
     , vjp (scan (*) 1) xs ones
     , jvp (reduce (*) 1) xs xs
     , jvp f64.maximum xs xs
     , vjp f64.minimum xs 1
     , vjp (\v -> scan f64.max f64.lowest v) xs ones
     , vjp (\h -> reduce_by_index (copy h) (*) 1 is xs) [5f64, 6] [0, 0]
     , mjp (map (* 2)) xs (map (const (replicate n 0f64)) ds) )
