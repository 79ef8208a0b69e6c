-- Integers and booleans have derivatives; integers wrap.
-- ==
-- entry: product
-- input { 100i8 100i8 } output { 16i8 100i8 100i8 }

-- ==
-- entry: powers
-- input { 3i32 4i32 } output { 81i32 108i32 }
-- input { 3i32 0i32 } output { 1i32 0i32 }

-- ==
-- entry: divisions
-- input { 100i32 7i32 } output { 0i32 -2i32 1i32 -14i32 }

-- ==
-- entry: overflow
-- input { 5i32 65536i32 } output { 0i32 }

-- ==
-- entry: bits
-- input { 12u8 10u8 } output { 0u8 0u8 0u8 0u8 255u8 4u8 }

-- ==
-- entry: halves
-- input { 1.5f16 2f16 } output { 3f16 2f16 1.5f16 }

-- ==
-- entry: comparisons
-- input { 1.0 2.0 } output { false 0.0 0.0 }

-- ==
-- entry: logic
-- input { true false } output { false true }

entry product (x: i8) (y: i8) =
  let (r, (dx, dy)) = vjp2 (\(a, b) -> a * b) (x, y) 1
  in (r, dx, dy)

entry powers (x: i32) (y: i32) = jvp2 (\a -> a ** y) x 1

entry divisions (x: i32) (y: i32) =
  let (a, b) = vjp (\(a, b) -> a / b) (x, y) 1
  let (c, d) = vjp (\(a, b) -> a % b) (x, y) 1
  in (a, b, c, d)

entry overflow (x: i32) (y: i32) = jvp (\b -> x / b) y 1

entry bits (x: u8) (y: u8) =
  let (a, b) = vjp (\(a, b) -> a & b) (x, y) 1
  let (c, d) = vjp (\(a, b) -> a ^ b) (x, y) 1
  in (a, b, c, d, jvp (\a -> !a) x 1, jvp (\a -> a << 2) x 1)

entry halves (x: f16) (y: f16) =
  let (r, (dx, dy)) = vjp2 (\(a, b) -> a * b) (x, y) 1
  in (r, dx, dy)

entry comparisons (x: f64) (y: f64) =
  let (a, b) = vjp (\(a, b) -> a < b) (x, y) true
  in (jvp (\a -> a < y) x 1, a, b)

entry logic (x: bool) (y: bool) = vjp (\(a, b) -> a && b) (x, y) true
