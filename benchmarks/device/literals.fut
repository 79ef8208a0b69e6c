-- Array literals whose elements are variables of the host, or of the device.
-- ==
-- entry: host
-- random input { 1000i64 [100000]f32 }
entry host [n] (k: i64) (xs: [n]f32) : f32 =
  loop s = 0
  for i < k do
    let x = f32.i64 i
    let cs = [x, x + 1, x * 2, x * x, x - 3, x / 7, x - 1, 1 / (x + 1)]
    let s' = f32.sum (map (\j -> cs[j % 8] * xs[j % n]) (iota 1000))
    in s + s' / (s' * s' + 1)

-- ==
-- entry: device
-- random input { 1000i64 [1000]f32 }
entry device [n] (k: i64) (xs: [n]f32) : [n]f32 =
  loop xs for _i < k do
    let m = f32.sum xs / f32.i64 n
    let cs = [m, m * m, m + 1, 1 / (m + 2)]
    in map2 (\j x -> x * 0.5 + cs[j % 4] * 0.1) (iota n) xs
