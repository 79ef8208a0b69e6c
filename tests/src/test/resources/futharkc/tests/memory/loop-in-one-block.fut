-- allocations: c 5, cuda 5, multicore 5
-- A loop makes what it passes on in one block, although it starts with the caller's array.
-- call: pointwise 3i32 [1.0, 2.0, 3.0, 4.0, 5.0]
-- call: pointwise 0i32 [1.0, 2.0]
-- call: dead 3i32 [1.0, 2.0, 3.0, 4.0, 5.0]
-- call: dead 0i32 [1.0, 2.0]
-- call: kept 2i32 [1.0, 2.0, 3.0]
entry pointwise [n] (k: i32) (xs: [n]f64) : [n]f64 =
  loop xs for i < k do map (\x -> x * x + f64.i32 i) xs

entry dead [n] (k: i32) (xs: [n]f64) : [n]f64 =
  loop xs for _i < k do
    let ts = tabulate n (\i -> xs[i] + xs[(i + 1) % n])
    in tabulate n (\i -> ts[n - 1 - i] * ts[(i + 3) % n])

entry kept [n] (k: i32) (xs: [n]f64) : ([n]f64, [n]f64) =
  let ys = map (* 2) xs
  let zs = loop ys for i < k do map (\x -> x - f64.i32 i) ys
  in (ys, zs)
