-- Products of matrices and their kin, of which thread blocks and cores compute tiles, and what reads the same elements for all results of a
-- block. An entry's name begins with the type of its arrays' elements: a of n x m elements, b of m x p, c of n x p, v of m.

def dot (+) (*) zero xs ys = reduce (+) zero (map2 (*) xs ys)

entry i32_product [n] [m] [p] (a: [n][m]i32) (b: [m][p]i32) (_c: [n][p]i32) (_v: [m]i32) =
  map (\x -> map (dot (i32.+) (i32.*) 0 x) (transpose b)) a

entry f32_product [n] [m] [p] (a: [n][m]f32) (b: [m][p]f32) (c: [n][p]f32) (_v: [m]f32) =
  map2 (\x cs -> map2 (\y c -> 2 * dot (f32.+) (f32.*) 0 x y + 3 * c) (transpose b) cs) a c

entry f64_sums [n] [m] [p] (a: [n][m]f64) (b: [m][p]f64) (c: [n][p]f64) (v: [m]f64) =
  map3 (\i x cs ->
          map2 (\y c -> let (s, t) = loop (s, t) = (c, 1) for k < m do (s - (x[k] + f64.i64 i) * (2 * y[k]), t * (y[k] + v[k])) in s / t)
               (transpose b) cs)
       (iota n) a c

entry f64_least [n] [m] [p] (a: [n][m]f64) (b: [m][p]f64) (_c: [n][p]f64) (v: [m]f64) =
  map (\x -> map (\y -> reduce f64.min f64.inf (map3 (\x y z -> if x < z then f64.abs (x - y) else y) x y v)) (transpose b)) a

entry i8_several [n] [m] [p] (a: [n][m]i8) (b: [m][p]i8) (_c: [n][p]i8) (_v: [m]i8) =
  map (\x -> map (\y -> reduce (\(s, l) (t, r) -> (s + t, i8.max l r)) (0, i8.lowest) (map2 (\x y -> (x * y, x ^ y)) x y)) (transpose b) |> unzip) a
  |> unzip

entry i16_columns [n] [m] [p] (a: [n][m]i16) (b: [m][p]i16) (_c: [n][p]i16) (_v: [m]i16) =
  map (\x -> map (dot (i16.+) (i16.*) 0 x) (transpose b)) (transpose (transpose a :> [m][n]i16) :> [n][m]i16)

entry f16_product [n] [m] [p] (a: [n][m]f16) (b: [m][p]f16) (_c: [n][p]f16) (_v: [m]f16) =
  map (\x -> map (dot (f16.+) (f16.*) 0 x) (transpose b)) a

entry bool_paths [n] [m] [p] (a: [n][m]bool) (b: [m][p]bool) (c: [n][p]bool) (_v: [m]bool) =
  map2 (\x cs -> map2 (\y c -> c != dot (||) (&&) false x y) (transpose b) cs) a c

entry i64_two [n] [m] [p] (a: [n][m]i64) (b: [m][p]i64) (c: [n][p]i64) (_v: [m]i64) =
  map2 (\x cs -> map2 (\y c -> let s = dot (i64.+) (i64.*) c x y in loop s for k < m do s * 3 - x[k] + y[k]) (transpose b) cs) a c

entry i32_after [n] [m] [p] (a: [n][m]i32) (b: [m][p]i32) (c: [n][p]i32) (_v: [m]i32) =
  map2 (\x cs -> map3 (\y c j -> let s = loop s = c for k < m do s * 3 - x[k] + y[k] in loop s for t < j do s * 3 + i32.i64 t) (transpose b) cs (iota p)) a c

entry i32_batch [n] [m] [p] (a: [n][m]i32) (b: [m][p]i32) (_c: [n][p]i32) (v: [m]i32) =
  map (\z -> map (\x -> map (\y -> z + dot (i32.+) (i32.*) 0 x y) (transpose b)) a) v

entry i32_part [n] [m] [p] (a: [n][m]i32) (b: [m][p]i32) (_c: [n][p]i32) (_v: [m]i32) =
  let o = i64.min 1 m
  in map (\x -> map (\y -> dot (i32.+) (i32.*) 0 x[o:] y[o:]) (transpose b)) a[i64.min 2 n:]

entry f32_interactions [n] [m] [p] (_a: [n][m]f32) (b: [m][p]f32) (c: [n][p]f32) (v: [m]f32) =
  let force x ys y = let d = f32.sqrt ((x - y) * (x - y) + 1) in (ys[0] / d, ys[p - 1] * d, x - y)
  in map (\x -> reduce (\(f, g, h) (i, j, k) -> (f + i, g + j, f32.max h k)) (0, 0, 0) (map2 (force x) b v)) (flatten c) |> unzip3

entry i32_state [n] [m] [p] (_a: [n][m]i32) (_b: [m][p]i32) (c: [n][p]i32) (v: [m]i32) =
  map (\x -> let (s, t, _) =
               loop (s, t, odd) = (x, 0, false)
               for k < m do
                 let y = v[k]
                 in if odd && y > s then (s ^ y, t + 1, s > 0) else (s + y, t, !odd)
             in s * 7 + t)
      (flatten c)

entry i64_structures [n] [m] [p] (_a: [n][m]i64) (_b: [m][p]i64) (c: [n][p]i64) (v: [m]i64) =
  map (\x -> loop s = x for k < m / 3 do #[unsafe] (s * 3 - v[3 * k + 1] + (v[3 * k] ^ v[3 * k + 2]))) (flatten c)

entry i32_repeated [n] [m] [p] (_a: [n][m]i32) (b: [m][p]i32) (c: [n][p]i32) (v: [m]i32) =
  map (\x -> loop s = x for t < p do
               let r = loop r = s for k < m do r * 3 + b[k, t]
               in loop q = r + i32.i64 t for k < m do q ^ (v[k] - r))
      (flatten c)

entry i64_segments [n] [m] [p] (a: [n][m]i64) (_b: [m][p]i64) (c: [n][p]i64) (v: [m]i64) =
  map2 (\x cs -> map (\z -> loop s = z for k < m do s * 5 + x[k] - v[k]) cs) a c

entry i16_loops [n] [m] [p] (_a: [n][m]i16) (_b: [m][p]i16) (c: [n][p]i16) (v: [m]i16) =
  map (\x -> let s = loop s = x for i < i64.i16 (x & 7) do s * 3 + i16.i64 i
             let t =
               loop t = s for k < m do
                 let y = v[k]
                 let (u, _) = loop (u, i) = (t, 0) while i < (y & 3) do (u * 5 + y, i + 1)
                 in u - t
             in loop t for i < i64.i16 (x & 3) do t + s)
      (flatten c)

entry f64_iterated [n] [m] [p] (_a: [n][m]f64) (_b: [m][p]f64) (c: [n][p]f64) (_v: [m]f64) =
  loop xs = flatten c for _i < 3 do map (\x -> reduce (+) 0 (map (\y -> f64.abs (x - y)) xs) / f64.i64 (length xs)) xs
