-- Operations of the same value that have different derivatives: no simplification takes one for the other.
-- ==
-- entry: extrema
-- input { 2.0 2i32 } output { 0.0 1.0 0.0 1.0 0i32 1i32 0i32 1i32 }

-- ==
-- entry: both
-- input { 3.0 3.0 } output { 2.0 1.0 1.0 2.0 }

-- ==
-- entry: bits
-- input { 6i32 } output { 0i32 0i32 0i32 0i32 1i32 }

-- ==
-- entry: flags
-- input { true } output { false }
-- input { false } output { false }

entry extrema (x: f64) (n: i32) =
  ( vjp (\a -> f64.min 2 a) x 1, vjp (\a -> f64.min a 2) x 1
  , jvp (\a -> f64.max 2 a) x 1, jvp (\a -> f64.max a 2) x 1
  , vjp (\a -> i32.min 2 a) n 1, vjp (\a -> i32.min a 2) n 1
  , jvp (\a -> i32.max 2 a) n 1, jvp (\a -> i32.max a 2) n 1 )

-- The two are not one common subexpression.
entry both (x: f64) (y: f64) =
  let (a, b) = vjp (\(x, y) -> f64.max x y * 2 + f64.max y x) (x, y) 1
  let (c, d) = vjp (\(x, y) -> f64.max x y + f64.max y x * 2) (x, y) 1
  in (a, b, c, d)

entry bits (n: i32) =
  ( vjp (\a -> a & a) n 1, vjp (\a -> a | 0) n 1, jvp (\a -> a ^ 0) n 1
  , jvp (\a -> a & -1) n 1, vjp (\a -> a % 1) n 1 )

entry flags (b: bool) = vjp (\a -> a == true) b true
