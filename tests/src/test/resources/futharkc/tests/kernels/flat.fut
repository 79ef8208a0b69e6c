-- Flat operations, and those on each row or column. FlatKernelsTest calls each entry point with
-- arrays of several sizes.
def op (a: i64, b: i64) (c: i64, d: i64): (i64, i64) = (a * c, b * c + d)
def triple (i: i32): (i32, i32, i32, i32, i32, i32, i32, i32, i32) =
  let k j = (i * j + j * j) % 5
  in (k 0, k 1, k 2, k 3, k 4, k 5, k 6, k 7, k 8)
def product (a: i32, b: i32, c: i32, d: i32, e: i32, f: i32, g: i32, h: i32, i: i32)
            (j: i32, k: i32, l: i32, m: i32, n: i32, o: i32, p: i32, q: i32, r: i32) =
  ( a * j + b * m + c * p, a * k + b * n + c * q, a * l + b * o + c * r
  , d * j + e * m + f * p, d * k + e * n + f * q, d * l + e * o + f * r
  , g * j + h * m + i * p, g * k + h * n + i * q, g * l + h * o + i * r )
def unit3 = (1i32, 0i32, 0i32, 0i32, 1i32, 0i32, 0i32, 0i32, 1i32)

entry v_map [n] (xs: [n]i32): [n]i32 = map (\x -> x * 2 + 1) xs
entry v_narrow [n] (xs: [n]i32): [n]i8 = map i8.i32 (map2 (+) xs (rotate 1 xs))
entry v_branch [n] (xs: [n]i32): [n]i64 = map (\x -> if x % 3 == 0 then i64.i32 xs[n - 1] else i64.i32 x) xs
entry v_bytes [n] (xs: [n]i32): ([n]i8, [n]bool, [n]u16, [n]f16) =
  let (bs, ss, hs) = #[opaque] (map i8.i32 xs, map u16.i32 xs, map f16.i32 xs)
  in (map2 (\b c -> if b > c then b else c + 1) bs (rotate 1 bs), map2 (\b i -> b > i8.i64 i) bs (iota n),
      map (* 3) ss, map (+ 0.5) hs)
entry v_byte_slices [n] (xs: [n]i32): ([]i8, []i8, []i8, []bool) =
  let (bs, fs) = #[opaque] (map i8.i32 xs, map (\x -> x % 3 == 0) xs)
  let rest k = map (+ 1) (#[opaque] bs[i64.min n k:])
  let (k, h) = (n - i64.min n 5, n / 2)
  in (rest 0, map (+ 1) bs[i64.min n 4:], map2 (+) (bs[i64.min n 5:] :> [k]i8) (bs[:k] :> [k]i8),
      map2 (&&) (fs[:h] :> [h]bool) (fs[n - h:] :> [h]bool))
entry v_copy [n] (xs: [n]i32): ([n]i32, [n]i32) = (copy xs, reverse xs)
entry v_gather [n] (xs: [n]i32): [n]i32 = map (\i -> xs[i * 7 % n]) (iota n)
entry v_indirect [n] (xs: [n]i32): [n]i32 =
  let os = scan (+) 3 (replicate 5 (n / 2))
  in map (\i -> let vs = #[sequential] map (\o -> xs[(i + o) % n]) os
                in vs[0] * vs[1] + vs[2] - vs[3] * vs[4]) (iota n)
entry v_waves [n] (xs: [n]i32): ([n]f64, [n]f32) =
  (map (\x -> f64.sin (f64.i32 x) - f64.cos (f64.i32 x)) xs, map (\x -> f32.cos (f32.i32 x) - f32.sin (f32.i32 x)) xs)
entry v_sum [n] (xs: [n]i32): i32 = reduce (+) 0 xs
entry v_several [n] (xs: [n]i32): (i64, i32, f64) =
  (reduce (+) 0 (map i64.i32 xs), reduce i32.max i32.lowest xs, reduce (+) 0 (map f64.i32 xs))
entry v_compose [n] (xs: [n]i32): (i64, i64) =
  reduce op (1, 0) (map (\x -> (i64.i32 (x % 3), i64.i32 x)) xs)
entry v_redomap [n] (xs: [n]i32): (i32, [n]i32) = (reduce (+) 0 (map (* 2) xs), map (* 2) xs)
entry v_scan [n] (xs: [n]i32): [n]i32 = scan (+) 0 xs
entry v_scan_map [n] (xs: [n]i32): [n]f64 = map f64.i64 (scan (+) 0 (map i64.i32 xs))
entry v_scan_compose [n] (xs: [n]i32): ([n]i64, [n]i64) =
  unzip (scan op (1, 0) (map (\x -> (i64.i32 (x % 3), i64.i32 x)) xs))
entry v_scan_bytes [n] (xs: [n]i32): [n]i8 = scan (+) 0 (map i8.i32 xs)
entry v_scan_large [n] (xs: [n]i32): [n]i32 =
  scan product unit3 (map triple xs) |> map (\(a, b, c, d, e, f, g, h, i) -> a + b - c + d ^ e + f - g + h ^ i)
entry v_scan_captures [n] (xs: [n]i32): [n]i32 =
  let k = xs[n / 2]
  let f x = loop c = x for i < 9 do (c * 3 + xs[i % 2 % n] * 7 - c / 4 + i32.i64 i) % 11 ^ k
  let op a b = if a == i32.lowest then b else if b == i32.lowest || f a >= f b then a else b
  in scan op i32.lowest xs
entry v_reduce_large [n] (xs: [n]i32): i32 =
  let (a, _, _, _, e, _, g, _, _) = reduce product unit3 (map triple xs)
  in a + e - g
entry v_scan_several [n] (xs: [n]i32): ([n]i32, [n]i32) = (scan (+) 0 xs, scan i32.max i32.lowest xs)
entry v_filter [n] (xs: [n]i32): []i32 = filter (\x -> x % 2 == 0) xs
entry v_hist [n] (xs: [n]i32): [5]i32 = hist (+) 0 5 (map i64.i32 xs) xs
entry v_hist_many [n] (xs: [n]i32): [1000]i64 =
  hist (+) 0 1000 (map (\x -> i64.i32 x * 37) xs) (map i64.i32 xs)
entry v_hist_max [n] (xs: [n]i32): [7]f32 =
  hist f32.max f32.lowest 7 (map (\x -> i64.i32 x % 7) xs) (map f32.i32 xs)
entry v_hist_pairs [n] (xs: [n]i32): ([3]i32, [3]i32) =
  unzip (hist (\(a, i) (b, j) -> if a < b || a == b && i < j then (b, j) else (a, i)) (i32.lowest, 0) 3
              (map (\x -> i64.i32 x % 3) xs) (zip xs (map (* 5) xs)))
entry v_hist_large [n] (xs: [n]i32): [3]i32 =
  hist product unit3 3 (map (\x -> i64.i32 x % 3) xs) (map (\x -> (1, 0, 0, 0, 1, 0, x, 0, 1)) xs)
  |> map (\(a, _, c, _, e, _, g, _, _) -> a + c - e ^ g)
entry v_hist_passes [n] (xs: [n]i32): (i64, i64, [9]i32) =
  let (bins, inputs) = if n == 33 then (9000, 10000) else (9, n)
  let sums =
    hist (+) 0 bins (map (\i -> (i * 37 + i64.i32 xs[i % n]) % (bins + 1)) (iota inputs))
         (map (\i -> 1 + i32.i64 i % 7) (iota inputs))
  in (bins, i64.sum (map2 (\i x -> i * i64.i32 x) (iota bins) sums), sums[:9])
entry v_hist_bytes [n] (xs: [n]i32): [9]i8 = hist (+) 0 9 (map i64.i32 xs) (map i8.i32 xs)
entry v_hist_rows [n] (xs: [n]i32): [2][]i32 =
  let m = i64.min 2 n
  in hist (map2 (+)) (replicate m 0) 2 (map (\x -> i64.i32 x % 2) xs) (map (replicate m) xs)
entry v_scatter [n] (xs: [n]i32): [n]i32 =
  scatter (replicate n 0) (map (\i -> if i % 3 == 0 then -1 else n - i) (iota n)) xs
entry v_failing [n] (xs: [n]i32): [n]i32 = map (\x -> xs[i64.i32 x]) xs
entry v_failing_scan [n] (xs: [n]i32): [n]i32 = scan (+) 0 (map (\x -> xs[i64.i32 x]) xs)
entry v_failing_compose [n] (xs: [n]i32): (i64, i64) =
  reduce op (1, 0) (map (\x -> (1, i64.i32 xs[i64.i32 x])) xs)
entry v_failing_sum [n] (xs: [n]i32): i32 = reduce (+) 0 (map (\x -> xs[i64.i32 x]) xs)

entry m_transpose [n][m] (xss: [n][m]i32): [m][n]i32 = copy (transpose xss)
entry m_transpose_bytes [n][m] (xss: [n][m]i32): [m][n]i8 = copy (transpose (map (map i8.i32) xss))
entry m_transpose_shorts [n][m] (xss: [n][m]i32): [m][n]u16 = copy (transpose (map (map u16.i32) xss))
entry m_transpose_bools [n][m] (xss: [n][m]i32): [m][n]bool = copy (transpose (map (map (> 3)) xss))
entry m_transpose_several [n][m] (xss: [n][m]i32): [2][m][n]i8 =
  copy (map transpose [map (map i8.i32) xss, map (map (\x -> i8.i32 x + 1)) xss])
entry m_map_transposed [n][m] (xss: [n][m]i32): [m][n]i64 =
  map (map (\x -> i64.i32 x * 3 + 1)) (transpose xss)
entry m_maps_transposed [n][m] (xss: [n][m]i32): ([m][n]i8, [m][n]i32) =
  unzip (map unzip (transpose (map2 (\i xs -> map2 (\j x -> (i8.i32 x, x * 7 + i32.i64 (i - j))) (indices xs) xs) (indices xss) xss)))
entry m_maps_3 [n][m] (xss: [n][m]i32): [m][2][n]i16 =
  map (\c -> map (\k -> map (\r -> i16.i32 xss[r, c] + k) (iota n)) [1, 2]) (iota m)
entry m_maps_failing [n][m] (xss: [n][m]i32): [m][n]i16 =
  transpose (map (\xs -> map (\x -> i16.i32 xss[i64.i32 x % (n + 1), 0]) xs) xss)
entry m_map [n][m] (xss: [n][m]i32): [n][m]i32 = map (map (+ 1)) xss
entry m_rows_sum [n][m] (xss: [n][m]i32): [n]i32 = map (reduce (+) 0) xss
entry m_columns_sum [n][m] (xss: [n][m]i32): [m]i32 = map (reduce (+) 0) (transpose xss)
entry m_columns_compose [n][m] (xss: [n][m]i32): [m](i64, i64) =
  map (\xs -> reduce op (1, 0) (map (\x -> (i64.i32 (x % 3), i64.i32 x)) xs)) (transpose xss)
entry m_columns_max [n][m] (xss: [n][m]i32): ([m]i32, [m]f32) =
  unzip (map (\xs -> (i32.maximum xs, f32.sum (map f32.i32 xs))) (transpose xss))
entry m_rows_composed [n][m] (xss: [n][m]i32): [n](i64, i64) =
  map (\xs -> reduce op (1, 0) (map (\x -> (i64.i32 (x % 3), i64.i32 x)) xs)) xss
entry m_rows_scan [n][m] (xss: [n][m]i32): [n][m]i32 = map (scan (+) 0) xss
entry m_columns_scan [n][m] (xss: [n][m]i32): [m][n]i32 = map (scan (+) 0) (transpose xss)
entry m_rows_compose [n][m] (xss: [n][m]i32): [n][m](i64, i64) =
  map (\xs -> scan op (1, 0) (map (\x -> (i64.i32 (x % 3), i64.i32 x)) xs)) xss
entry m_rows_scan_large [n][m] (xss: [n][m]i32): [n][m]i32 =
  map (\xs -> scan product unit3 (map triple xs) |> map (\(a, _, c, _, e, _, g, _, _) -> a + c - e ^ g)) xss
entry m_rows_near [n][m] (xss: [n][m]i32): [n]i32 =
  map (\xs -> loop best = i32.highest for c < 3 do
                i32.min best (loop d = 0 for x in xs do d * 3 + (x - i32.i64 c) * x)) xss
entry m_rows_of_bytes [n][m] (xss: [n][m]i32): [n]i64 =
  let bss = map (scan (+) 0) (map (map i8.i32) xss)
  let hss = map (scan f16.max 0) (map (map (\x -> f16.i32 (x % 3))) xss)
  in map2 (\bs hs -> loop d = 0 for (b, h) in zip bs hs do d * 3 + i64.i8 b * i64.f16 h) bss hss
entry m_rows_of_doubles [n][m] (xss: [n][m]i32): [n]f64 =
  let yss = map (scan (+) 0) (map (map f64.i32) xss)
  in map (\ys -> loop d = 0 for y in ys do f64.max (d - y) (d + 1)) yss
entry m_rows_hist [n][m] (xss: [n][m]i32): [n][5]i32 =
  map (\xs -> hist (+) 0 5 (map i64.i32 xs) xs) xss
entry m_hist2 [n][m] (xss: [n][m]i32): [4][m]i32 =
  hist (map2 (+)) (replicate m 0) 4 (map (\i -> i % 5) (iota n)) xss
entry m_slice [n][m] (xss: [n][m]i32): [][]i32 = copy xss[n / 3:, ::2]
entry m_reversed [n][m] (xss: [n][m]i32): [][]i32 = copy (reverse (map reverse xss))

-- Functions that threads and the host call, with constants, and one that calls itself.
def shift : i32 = #[opaque] 3i32
def table : [4]i32 = #[opaque] [1, 2, 3, 4]
#[noinline]
def shifted (x: i32) = x + shift
#[noinline]
def looked (x: i32) = shifted x + table[i64.i32 (x & 3)]
def depth (x: i32) : i32 = if x <= 0 then shifted x else 1 + depth (x - 1)
entry v_functions [n] (xs: [n]i32): ([n]i32, i32) = (map looked xs, looked (i32.i64 n))
entry v_recursion [n] (xs: [n]i32): ([n]i32, i32) = (map (\x -> depth (x & 3)) xs, depth 5)
