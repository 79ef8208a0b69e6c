-- Where operands are equal, the first one counts; in a reduction, the one of the lowest index.
-- ==
-- entry: scalars
-- input { 2.0 2.0 } output { 1.0 0.0 1.0 0.0 }

-- ==
-- entry: reductions
-- input { [3.0, 5.0, 5.0, 1.0, 1.0] } output { [0.0, 1.0, 0.0, 0.0, 0.0] [0.0, 0.0, 0.0, 1.0, 0.0] }
-- input { [-f64.inf, -f64.inf] } output { [1.0, 0.0] [1.0, 0.0] }

-- ==
-- entry: forwards
-- input { [1.0, 2.0, 2.0, 1.0] [3.0, 5.0, 7.0, 9.0] } output { 5.0 3.0 }

-- ==
-- entry: unsigned
-- input { [1u8, 200u8, 100u8, 200u8] } output { [0u8, 3u8, 0u8, 0u8] [5u8, 0u8, 0u8, 0u8] }

-- ==
-- entry: buckets
-- input { [0i64, 0i64, 1i64, 0i64, 9i64] [1u8, 200u8, 100u8, 200u8, 250u8] } output { [0u8, 3u8, 3u8, 0u8, 0u8] [5u8, 0u8, 5u8, 0u8, 0u8] }

-- ==
-- entry: scans
-- input { [3.0, 5.0, 5.0, 1.0] } output { [1.0, 3.0, 0.0, 0.0] }

-- ==
-- entry: powers
-- input { 0.0 0.0 } output { 0.0 0.0 }
-- input { 0.0 1.0 } output { 1.0 0.0 }
-- input { 0.0 0.5 } output { 0.0 0.0 }
-- input { -2.0 2.0 } output { -4.0 0.0 }

-- ==
-- entry: kinks
-- input { 0.0 } output { 0.0 f64.inf 0.0 }

entry scalars (x: f64) (y: f64) =
  let (a, b) = vjp (\(a, b) -> f64.max a b) (x, y) 1
  let (c, d) = vjp (\(a, b) -> f64.min a b) (x, y) 1
  in (a, b, c, d)

entry reductions (xs: []f64) = (vjp f64.maximum xs 1, vjp f64.minimum xs 1)
entry scans [n] (xs: [n]f64) = vjp (scan f64.max (-f64.inf)) xs (replicate n 1)
entry powers (x: f64) (y: f64) = vjp (\(a, b) -> a ** b) (x, y) 1
entry kinks (x: f64) = (vjp f64.abs x 1, vjp f64.sqrt x 1, vjp f64.sgn x 1)

entry forwards [n] (xs: [n]f64) (ds: [n]f64) = (jvp f64.maximum xs ds, jvp f64.minimum xs ds)
entry unsigned (xs: []u8) = (vjp u8.maximum xs 3, vjp u8.minimum xs 5)

entry buckets [n] (is: [n]i64) (xs: [n]u8) =
  ( vjp (hist u8.max 0 2 is) xs [3, 3], vjp (hist u8.min 255 2 is) xs [5, 5] )
