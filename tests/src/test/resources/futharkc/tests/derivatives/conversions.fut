-- A tangent is converted as the number is; an adjoint, back.
-- ==
-- entry: forward
-- input { 2.5 } output { 1i32 1f32 7i32 1.0 }

-- ==
-- entry: reverse
-- input { 2.5 } output { 2.0 2.0 1.0 }

entry forward (x: f64) =
  ( jvp i32.f64 x 1.75, jvp f32.f64 x 1, jvp i32.i8 3 7
  , jvp (\b -> f64.bool b) true true )

entry reverse (x: f64) = (vjp i32.f64 x 2, vjp f32.f64 x 2, vjp f64.i32 2 1.75 |> f64.i32)
