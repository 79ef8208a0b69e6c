-- Derivatives of functions that are not inlined, and derivatives of these.
-- ==
-- entry: twice
-- input { 3.0 } output { 18.0 18.0 18.0 18.0 }

-- ==
-- entry: thrice
-- input { 2.0 } output { 12.0 24.0 }

-- ==
-- entry: within
-- input { 2.0 [1.0, 3.0] } output { 64.0 32.0 [48.0, 48.0] }

#[noinline]
def cube (x: f64) = x * x * x

entry twice (x: f64) =
  ( jvp (\a -> jvp cube a 1) x 1
  , vjp (\a -> jvp cube a 1) x 1
  , jvp (\a -> vjp cube a 1) x 1
  , vjp (\a -> vjp cube a 1) x 1 )

#[noinline]
def fourth (x: f64) = jvp (\a -> cube a * a) x 1

entry thrice (x: f64) =
  ( jvp (\a -> fourth a / 4 * 2) x 1 / 4 * 2
  , vjp (\a -> vjp fourth a 1) x 1 / 4 + 12 )

-- A function with an array, of which the derivative is taken in another function that is not inlined.

#[noinline]
def scaled [n] (x: f64) (v: [n]f64) = f64.sum (map (\a -> x * x * a) v)

#[noinline]
def slope [n] (x: f64) (v: [n]f64) = vjp (\a -> scaled a v) x (f64.sum v)

entry within [n] (x: f64) (v: [n]f64) =
  let (dx, dv) = vjp (\(a, b) -> slope a b) (x, v) 1
  in (slope x v, dx, map (* 1.5) dv)
