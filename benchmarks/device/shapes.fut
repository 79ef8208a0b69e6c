-- Segmented operations, transposes and histograms on 2^28 numbers of 32 bits (1 GiB).
-- shape: [16384][16384]f32
entry copied_rows (xss: [][]f32) = copy xss
entry transposed (xss: [][]f32) = copy (transpose xss)
entry transposed_thin [n][m] (xss: [n][m]f32) =
  let thin = unflatten (flatten xss :> [(n * m / 8) * 8]f32)
  in copy (transpose thin)
entry transposed_10 [n][m] (xss: [n][m]f32) =
  let thin = unflatten (take (n * m / 10 * 10) (flatten xss) :> [(n * m / 10) * 10]f32)
  in copy (transpose thin)
entry transposed_to_10 [n][m] (xss: [n][m]f32) =
  let thin = unflatten (take (10 * (n * m / 10)) (flatten xss) :> [10 * (n * m / 10)]f32)
  in copy (transpose thin)
entry transposed_bytes (xss: [][]f32) = copy (transpose (map (map (\x -> i8.f32 (x * 100))) xss))
entry rows_summed (xss: [][]f32) = map (reduce (+) 0) xss
entry columns_summed [n][m] (xss: [n][m]f32) = map (reduce (+) 0) (transpose xss)
entry short_rows_summed [n][m] (xss: [n][m]f32) =
  map (reduce (+) 0) (unflatten (flatten xss :> [(n * m / 8) * 8]f32))
entry rows_scanned (xss: [][]f32) = map (scan (+) 0) xss
entry short_rows_scanned [n][m] (xss: [n][m]f32) =
  map (scan (+) 0) (unflatten (take (n * m / 10 * 10) (flatten xss) :> [(n * m / 10) * 10]f32))
entry bins_256 [n][m] (xss: [n][m]f32): [256]i32 =
  hist (+) 0 256 (map (\x -> i64.f32 (x * 256)) (flatten xss)) (replicate (n * m) 1)
entry bins_2_20 [n][m] (xss: [n][m]f32): [1048576]i32 =
  hist (+) 0 1048576 (map (\x -> i64.f32 (x * 1048576)) (flatten xss)) (replicate (n * m) 1)
entry bins_2_12 [n][m] (xss: [n][m]f32): [4096]i32 =
  hist (+) 0 4096 (map (\x -> i64.f32 (x * 4096)) (flatten xss)) (replicate (n * m) 1)
entry bins_2_16 [n][m] (xss: [n][m]f32): [65536]i32 =
  hist (+) 0 65536 (map (\x -> i64.f32 (x * 65536)) (flatten xss)) (replicate (n * m) 1)
entry bins_2_17 [n][m] (xss: [n][m]f32): [131072]i32 =
  hist (+) 0 131072 (map (\x -> i64.f32 (x * 131072)) (flatten xss)) (replicate (n * m) 1)
entry rows_bins [n][m] (xss: [n][m]f32): [n][256]i32 =
  map (\xs -> hist (+) 0 256 (map (\x -> i64.f32 (x * 256)) xs) (replicate m 1)) xss
