-- Scalars that only further kernels use: the host needs none of them.
-- ==
-- entry: norm
-- random input { [10000000]f32 }
-- random input { [100000]f32 }
entry norm [n] (xs: [n]f32): [n]f32 =
  let s = f32.sqrt (f32.sum (map (\x -> x * x) xs))
  in map (/ s) xs
-- ==
-- entry: steps
-- random input { [100000]f32 }
entry steps [n] (xs: [n]f32): [n]f32 =
  loop xs for _i < 100 do
    let m = f32.sum xs / f32.i64 n
    let v = f32.sum (map (\x -> (x - m) ** 2) xs) / f32.i64 n
    let q = v / (m * m + 1)
    in map (\x -> x * 0.999 + q / (1 + x * x)) xs
