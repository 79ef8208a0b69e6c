-- Flat, memory-bound operations on 2^28 numbers of 32 bits (1 GiB).
-- shape: [268435456]f32
entry copied (xs: []f32) = copy xs
entry mapped (xs: []f32) = map (* 2.5) xs
entry mapped_to_bytes (xs: []f32) = map (\x -> i8.f32 (x * 100)) xs
entry summed (xs: []f32) = reduce (+) 0 xs
entry largest (xs: []f32) = reduce f32.max f32.lowest xs
entry summed_as_i64 (xs: []f32) = reduce (+) 0 (map (\x -> i64.f32 (x * 100)) xs)
entry dotted [n] (xs: [n]f32) =
  let m = n / 2
  in reduce (+) 0 (map2 (*) (xs[:m] :> [m]f32) (xs[m:2 * m] :> [m]f32))
entry scanned (xs: []f32) = scan (+) 0 xs
entry scanned_as_i32 (xs: []f32) = scan (+) 0 (map (\x -> i32.f32 (x * 100)) xs)
entry filtered (xs: []f32) = filter (> 0.5) xs
entry reversed (xs: []f32) = copy (reverse xs)
entry scattered [n] (xs: [n]f32) = scatter (replicate n 0) (map (\i -> (i * 1027) % n) (iota n)) xs
entry scanned_by_fours (xs: []f32) =
  unzip4 (scan (\(a, b, c, d) (e, f, g, h) -> (a + e, i64.max b f, c + g, i64.min d h)) (0, i64.lowest, 0, i64.highest)
               (map (\x -> let k = i64.f32 (x * 100) in (k, k, k * 3, k)) (take (2 ** 26) xs)))
