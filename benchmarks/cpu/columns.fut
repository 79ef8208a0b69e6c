-- Columns of matrices: consecutive steps read elements that are far apart.
-- ==
-- entry: sums
-- random input { [4096][4096]f32 }
-- random input { [200000][64]f32 }
-- random input { [64][200000]f32 }
entry sums [n] [m] (xs: [n][m]f32) : [m]f32 = map f32.sum (transpose xs)

-- ==
-- entry: maxima
-- random input { [4096][4096]f32 }
entry maxima [n] [m] (xs: [n][m]f32) : [m]f32 =
  map (\c -> loop a = 0 for x in c do f32.max (a * 0.5) x) (transpose xs)

-- ==
-- entry: scans
-- random input { [4096][4096]f32 }
entry scans [n] [m] (xs: [n][m]f32) : [n][m]f32 =
  transpose (map (scan (+) 0) (transpose xs))

-- ==
-- entry: recurrences
-- random input { [4096][4096]f32 }
entry recurrences [n] [m] (xs: [n][m]f32) : [m][n]f32 =
  map (\c ->
         loop ys = replicate n 0
         for i < n do
           ys with [i] = c[i] + (if i > 0 then 0.5 * ys[i - 1] else 0))
      (transpose xs)

-- ==
-- entry: repeated
-- random input { [4096][4096]f32 }
entry repeated [n] [m] (xs: [n][m]f32) : [m]f32 =
  map (\c ->
         loop s = 0
         for k < 8 do
           s * 0.5 + f32.sum (map (\x -> x * f32.i64 k) c))
      (transpose xs)

-- ==
-- entry: nearest
-- random input { [64][100000]f32 [32][64]f32 }
entry nearest [n] [m] [k] (xs: [n][m]f32) (cs: [k][n]f32) : [m]i64 =
  map (\c ->
         let ds = map (\r -> f32.sum (map2 (\a b -> (a - b) * (a - b)) c r)) cs
         in (loop (best, at) = (f32.inf, 0)
             for i < k do
               if ds[i] < best then (ds[i], i) else (best, at)).1)
      (transpose xs)

-- ==
-- entry: eliminations
-- random input { [4096][2048]f32 [4096][2048]f32 }
entry eliminations [n] [m] (a: [n][m]f32) (b: [n][m]f32) : [m][n]f32 =
  map2 (\as bs ->
          (loop (ys, p) = (replicate n 0f32, 1f32)
           for i < n do
             let p' = as[i] - bs[i] / p
             in (ys with [i] = p', p')).0)
       (transpose a)
       (transpose b)
