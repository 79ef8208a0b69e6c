-- Nested parallelism, updates, loops. The values are those of version 0.25 of the original compiler.

-- ==
-- entry: d1
-- input { 2i64 } output { [0.000000f32, 1.000000f32, 2.000000f32] }
-- input { 5i64 } output { [0.000000f32, 10.000000f32, 20.000000f32] }
entry d1 (n: i64) : []f32 = map (\i -> f32.sum (map (\j -> f32.i64 (i * j)) (iota n))) (iota 3)

-- ==
-- entry: d2
-- input { 2i64 } output { [[0i64, 0i64, 0i64], [0i64, 0i64, 0i64]] }
-- input { 5i64 } output { [[0i64, 0i64, 0i64], [0i64, 0i64, 0i64], [0i64, 1i64, 2i64], [0i64, 3i64, 6i64], [0i64, 6i64, 12i64]] }
entry d2 (n: i64) : [][]i64 = map (\i -> map (\j -> i64.sum (map (* j) (iota i))) (iota 3)) (iota n)

-- ==
-- entry: d3
-- input { 2i64 } output { [0i64, 2i64] }
-- input { 5i64 } output { [0i64, 5i64, 0i64, 15i64, 0i64] }
entry d3 (n: i64) : []i64 = map (\i -> let xs = replicate n i let ys = scan (+) 0 xs in if i % 2 == 0 then last (ys ++ [0]) else i64.maximum ys) (iota n)

-- ==
-- entry: d4
-- input { 2i64 } output { [0i64, 10i64] }
-- input { 5i64 } output { [0i64, 10i64, 5i64, 15i64, 10i64] }
entry d4 (n: i64) : []i64 = map (\i -> loop a = i while a % 5 != 0 do a + 3) (iota n)

-- ==
-- entry: d5
-- input { 2i64 } output { [100i64, 103i64] }
-- input { 5i64 } output { [100i64, 103i64, 106i64, 109i64, 112i64] }
entry d5 (n: i64) : []i64 = map (\i -> let xs = replicate 4 i let xs[i % 4] = 100 in i64.sum xs) (iota n)

-- ==
-- entry: d6
-- input { 2i64 } output { [[0i64, 0i64], [1i64, 1i64]] }
-- input { 5i64 } output { [[0i64, 0i64, 2i64, 3i64, 4i64], [1i64, 1i64, 2i64, 3i64, 4i64], [2i64, 2i64, 2i64, 3i64, 4i64]] }
entry d6 (n: i64) : [][]i64 = map (\i -> let xs = iota n let xs = xs with [0:2] = [i, i] in xs) (iota (i64.min n 3))

def bump [n] (xs: *[n]i64) (i: i64) : *[n]i64 = xs with [i] = xs[i] + 1
-- ==
-- entry: d7
-- input { 2i64 } output { [1i64, 1i64, 0i64] }
-- input { 5i64 } output { [2i64, 2i64, 1i64] }
entry d7 (n: i64) : []i64 = loop xs = replicate 3 0 for i < n do bump xs (i % 3)

-- ==
-- entry: d8
-- input { 2i64 } output { [3i64, 3i64] [5i64, 5i64] }
-- input { 5i64 } output { [13i64, 13i64, 13i64, 13i64, 13i64] [21i64, 21i64, 21i64, 21i64, 21i64] }
entry d8 (n: i64) : ([]i64, []i64) = loop (xs, ys) = (replicate n 1, replicate n 2) for _i < n do (ys, map2 (+) xs ys)

-- ==
-- entry: d10
-- input { 2i64 } output { [1i64, 1i64] }
-- input { 5i64 } output { [16i64, 16i64, 16i64, 16i64, 16i64] }
entry d10 (n: i64) : []i64 = let a = tabulate n (\i -> i * i) let b = map (\x -> x + a[n - 1]) a in map2 (-) b a

-- ==
-- entry: d11
-- input { 2i64 } output { [[1.000000000000000f64, 2.000000000000000f64], [2.000000000000000f64, 5.000000000000000f64]] }
-- input { 5i64 } output { [[30.000000000000000f64, 40.000000000000000f64, 50.000000000000000f64, 60.000000000000000f64, 70.000000000000000f64], [40.000000000000000f64, 55.000000000000000f64, 70.000000000000000f64, 85.000000000000000f64, 100.000000000000000f64], [50.000000000000000f64, 70.000000000000000f64, 90.000000000000000f64, 110.000000000000000f64, 130.000000000000000f64], [60.000000000000000f64, 85.000000000000000f64, 110.000000000000000f64, 135.000000000000000f64, 160.000000000000000f64], [70.000000000000000f64, 100.000000000000000f64, 130.000000000000000f64, 160.000000000000000f64, 190.000000000000000f64]] }
entry d11 (n: i64) : [][]f64 = let a = tabulate_2d n n (\i j -> f64.i64 (i + j)) let mm a b = map (\r -> map (\c -> f64.sum (map2 (*) r c)) (transpose b)) a in mm a a

-- ==
-- entry: d12
-- input { 2i64 } output { 3i64 }
-- input { 5i64 } output { 13i64 }
entry d12 (n: i64) : i64 = i64.sum (map (\i -> length (filter (\x -> x % (i + 1) == 0) (iota n))) (iota n))

-- ==
-- entry: d13
-- input { 2i64 } output { [2i64, 2i64] }
-- input { 5i64 } output { [3i64, 3i64] }
entry d13 (n: i64) : []i64 = let go (lo: i64) (hi: i64) = loop (lo, hi) while lo < hi do (let m = (lo + hi) / 2 in if m * m < n then (m + 1, hi) else (lo, m)) let (a, b) = go 0 n in [a, b]

-- ==
-- entry: d14
-- input { 2i64 } output { [0i64, 1i64] }
-- input { 5i64 } output { [0i64, 1i64, 2i64, 3i64, 4i64] }
entry d14 (n: i64) : []i64 = map (\i -> reduce i64.min i64.highest (map (\j -> (i - j) * (i - j) + j) (iota n))) (iota n)

-- ==
-- entry: d15
-- input { 2i64 } output { [0i64, 2i64] }
-- input { 5i64 } output { [0i64, 2i64, 4i64, 6i64, 8i64] }
entry d15 (n: i64) : []i64 = let xs = map (\i -> (i * 7919) % 13) (iota n) in loop xs for i < n do (let ys = map (\j -> if j + 1 < n && (j % 2 == i % 2) then i64.min xs[j] xs[j + 1] else if j > 0 && (j % 2 != i % 2) then i64.max xs[j - 1] xs[j] else xs[j]) (iota n) in ys)

-- ==
-- entry: d16
-- input { 2i64 } output { [0i64, 1i64] }
-- input { 5i64 } output { [0i64, 1i64, 0i64, 3i64, 0i64] }
entry d16 (n: i64) : []i64 = scatter (iota n) (map (\i -> if i % 2 == 0 then i else -1) (iota n)) (replicate n 0)

-- ==
-- entry: d17
-- input { 2i64 } output { [[0i64, 0i64], [0i64, 1i64]] }
-- input { 5i64 } output { [[0i64, 0i64], [0i64, 1i64], [2i64, 0i64], [0i64, 3i64], [4i64, 0i64]] }
entry d17 (n: i64) : [][]i64 = scatter_2d (replicate n (replicate 2 0)) (map (\i -> (i, i % 2)) (iota n)) (iota n)

-- ==
-- entry: d18
-- input { 2i64 } output { [0i64, 1i64, 0i64] [0.000000000000000f64, 1.000000000000000f64, 0.000000000000000f64] }
-- input { 5i64 } output { [3i64, 5i64, 2i64] [3.000000000000000f64, 5.000000000000000f64, 2.000000000000000f64] }
entry d18 (n: i64) : ([]i64, []f64) = let h = reduce_by_index (replicate 3 (0, 0f64)) (\(a, b) (c, d) -> (a + c, b + d)) (0, 0) (map (% 3) (iota n)) (zip (iota n) (map f64.i64 (iota n))) in unzip h

-- ==
-- entry: d19
-- input { 2i64 } output { 1i64 2.000000f32 true }
-- input { 5i64 } output { 10i64 120.000000f32 false }
entry d19 (n: i64) : (i64, f32, bool) = reduce (\(a, b, c) (d, e, f) -> (a + d, b * e, c && f)) (0, 1, true) (map (\i -> (i, f32.i64 (i + 1), i < 4)) (iota n))

-- ==
-- entry: d20
-- input { 2i64 } output { [0i64, 1i64] }
-- input { 5i64 } output { [0i64, 1i64, 3i64, 3i64, 7i64] }
entry d20 (n: i64) : []i64 = let (flags, vals) = (map (\i -> i % 3 == 0) (iota n), iota n) in map (.1) (scan (\(f1, v1) (f2, v2) -> (f1 || f2, if f2 then v2 else v1 + v2)) (false, 0) (zip flags vals))

-- ==
-- entry: d21
-- input { 2i64 } output { 7i64 }
-- input { 5i64 } output { 13i64 }
entry d21 (n: i64) : i64 = let f (x: i64) = (let y = x * 2 in \z -> y + z) in f n 3

-- ==
-- entry: d22
-- input { 2i64 } output { [0i64, 2i64] }
-- input { 5i64 } output { [0i64, 2i64, 4i64, 6i64, 8i64] }
entry d22 (n: i64) : []i64 = map (\xs -> xs[0] + xs[length xs - 1]) (tabulate_2d n 3 (\i j -> i * j))

-- ==
-- entry: d23
-- input { 2i64 } output { [2i64, 4i64] }
-- input { 5i64 } output { [5i64, 7i64, 9i64, 11i64, 13i64] }
entry d23 (n: i64) : []i64 = let xs = iota (2 * n) in map2 (+) (take n xs) (drop n xs :> [n]i64)

-- ==
-- entry: d24
-- input { 2i64 } output { [2i64] }
-- input { 5i64 } output { [5i64, 3i64, 1i64] }
entry d24 (n: i64) : []i64 = (iota 10)[i64.min n 9:0:-2]

-- ==
-- entry: d25
-- input { 2i64 } error:
-- input { 5i64 } error:
entry d25 (n: i64) : i64 = (iota n)[n]

-- ==
-- entry: d26
-- input { 2i64 } output { 5i64 }
-- input { 5i64 } output { 2i64 }
entry d26 (n: i64) : i64 = 10 / n

-- ==
-- entry: d27
-- input { 2i64 } error:
-- input { 5i64 } error:
entry d27 (n: i64) : []i64 = (iota n)[2:1]

-- ==
-- entry: d28
-- input { 2i64 } output { 0i64 }
-- input { 5i64 } output { 0i64 }
entry d28 (n: i64) : i64 = reduce (\a b -> a * 10 + b) 0 (map (% 10) (iota n)) % 1

-- ==
-- entry: d29
-- input { 2i64 } output { 0.500000000000000f64 0.500000000000000f64 }
-- input { 5i64 } output { 2.000000000000000f64 10.000000000000000f64 }
entry d29 (n: i64) : (f64, f64) = let mean = f64.sum (map f64.i64 (iota n)) / f64.i64 n in (mean, f64.sum (map (\x -> (f64.i64 x - mean) ** 2) (iota n)))

-- ==
-- entry: d31
-- input { 2i64 } output { [[0i64, 1i64], [1i64, 0i64]] }
-- input { 5i64 } output { [[0i64, 1i64, 2i64, 3i64, 4i64], [1i64, 2i64, 3i64, 4i64, 0i64], [2i64, 3i64, 4i64, 0i64, 1i64], [3i64, 4i64, 0i64, 1i64, 2i64], [4i64, 0i64, 1i64, 2i64, 3i64]] }
entry d31 (n: i64) : [][]i64 = let rs = map (\i -> rotate i (iota n)) (iota n) in transpose rs

-- ==
-- entry: d32
-- input { 2i64 } output { [[3i64, 2i64], [1i64, 0i64]] }
-- input { 5i64 } output { [[9i64, 8i64], [7i64, 6i64], [5i64, 4i64], [3i64, 2i64], [1i64, 0i64]] }
entry d32 (n: i64) : [][]i64 = map reverse (reverse (tabulate_2d n 2 (\i j -> i * 2 + j)))

-- ==
-- entry: d33
-- input { 2i64 } output { [0i64, 0i64, 1i64, 1i64] }
-- input { 5i64 } output { [0i64, 0i64, 1i64, 1i64, 2i64, 4i64, 3i64, 9i64, 4i64, 16i64] }
entry d33 (n: i64) : []i64 = flatten (map (\i -> [i, i * i]) (iota n))

-- ==
-- entry: d34
-- input { 2i64 } output { 1i64 }
-- input { 5i64 } output { 7i64 }
entry d34 (n: i64) : i64 = let xs = map (\i -> (i, i64.max 0 (i - 2))) (iota n) in i64.sum (map (\(a, b) -> a - b) xs)

-- ==
-- entry: d35
-- input { 2i64 } output { [true, true] }
-- input { 5i64 } output { [true, true, false, false, false] }
entry d35 (n: i64) : []bool = map2 (\a b -> a == b && a < 3) (iota n) (map (\x -> x * x) (iota n))

-- ==
-- entry: d36
-- input { 2i64 } output { [6i64, 6i64] }
-- input { 5i64 } output { [6i64, 6i64, 6i64, 6i64, 6i64] }
entry d36 (n: i64) : []i64 = loop acc = replicate n 0 for x in [1, 2, 3] do map (+ x) acc

-- ==
-- entry: d37
-- input { 2i64 } output { 4i64 }
-- input { 5i64 } output { 32i64 }
entry d37 (n: i64) : i64 = let rec_like = (loop (i, acc, go) = (0, 1, true) while go do if i >= n then (i, acc, false) else (i + 1, acc * 2, true)) in rec_like.1

-- ==
-- entry: d38
-- input { 2i64 } output { [97i32, 98i32, 99i32, 2i32] }
-- input { 5i64 } output { [97i32, 98i32, 99i32, 5i32] }
entry d38 (n: i64) : []i32 = map (\c -> i32.u8 c) "abc" ++ [i32.i64 n]

-- ==
-- entry: d39
-- input { 2i64 } output { [[1i64, 7i64], [1i64, 2i64]] }
-- input { 5i64 } output { [[1i64, 7i64], [1i64, 2i64], [1i64, 2i64], [1i64, 2i64], [1i64, 2i64]] }
entry d39 (n: i64) : [][]i64 = let a = replicate n [1, 2] in a with [0, 1] = 7

-- ==
-- entry: d40
-- input { 2i64 } output { [3i64, 1i64] [4i64, 4i64] }
-- input { 5i64 } output { [3i64, 1i64, 2i64, 3i64, 4i64] [4i64, 4i64, 4i64, 4i64, 4i64] }
entry d40 (n: i64) : ([]i64, []i64) = let xs = iota n in (xs with [0] = 3, replicate n 4)

-- ==
-- entry: d41
-- input { 2i64 } output { [1i64, 3i64] }
-- input { 5i64 } output { [10i64, 15i64, 20i64, 25i64, 30i64] }
entry d41 (n: i64) : []i64 = #[incremental_flattening(only_inner)] map (\i -> i64.sum (map (+ i) (iota n))) (iota n)

-- ==
-- entry: d42
-- input { 2i64 } output { [1i64, 3i64] }
-- input { 5i64 } output { [10i64, 15i64, 20i64, 25i64, 30i64] }
entry d42 (n: i64) : []i64 = map (\i -> #[sequential] i64.sum (map (+ i) (iota n))) (iota n)

-- ==
-- entry: d43
-- input { 2i64 } output { 102i64 }
-- input { 5i64 } output { 105i64 }
entry d43 (n: i64) : i64 = let x = n in let f y = x + y in let x = 100 in f x

-- ==
-- entry: d44
-- input { 2i64 } output { [0i64, 1i64] }
-- input { 5i64 } output { [1i64, 1i64, 1i64, 1i64, 1i64] }
entry d44 (n: i64) : []i64 = let is = map (\i -> (i * 5 + 1) % n) (iota n) in map (\i -> is[is[i]]) (iota n)

-- ==
-- entry: d45
-- input { 2i64 } output { [[2i64, 1i64], [2i64, 3i64]] }
-- input { 5i64 } output { [[5i64, 1i64], [2i64, 3i64]] }
entry d45 (n: i64) : [2][2]i64 = [[n, 1], [2, 3]]

-- ==
-- entry: d46
-- input { 2i64 } output { [[0i64, 0i64], [1i64, 0i64]] }
-- input { 5i64 } output { [[0i64, 0i64], [1i64, 0i64], [2i64, 2i64], [3i64, 3i64], [4i64, 4i64]] }
entry d46 (n: i64) : [][2]i64 = map (\i -> [i, if i > 1 then i else 0]) (iota n)

-- ==
-- entry: d47
-- input { 2i64 } output { 1i64 }
-- input { 5i64 } output { 2i64 }
entry d47 (n: i64) : i64 = (tabulate_3d n n n (\i j k -> i * j + k))[n - 1, 0, n / 2]

-- ==
-- entry: d48
-- input { 2i64 } output { [[1i64, 1i64]] }
-- input { 5i64 } output { [[1i64, 1i64, 1i64, 1i64, 1i64]] }
entry d48 (n: i64) : [][]i64 = (tabulate_3d n n 2 (\i j k -> i * j + k))[0:1, :, 1]

-- ==
-- entry: d49
-- input { 2i64 } output { 0.500000f32 }
-- input { 5i64 } output { 2.716667f32 }
entry d49 (n: i64) : f32 = f32.sum (map2 (\a b -> a * b) (map f32.i64 (iota n)) (map (\i -> 1 / f32.i64 (i + 1)) (iota n)))

-- ==
-- entry: d51
-- input { 2i64 } output { [0i64] }
-- input { 5i64 } output { [0i64, 1i64, 2i64] }
entry d51 (n: i64) : []i64 = let k = i64.sum (iota n) in iota (k % 7)

-- ==
-- entry: d52
-- input { 2i64 } output { 1i64 }
-- input { 5i64 } output { 10i64 }
entry d52 (n: i64) : i64 = i64.sum (map (\i -> let ys = filter (\y -> y > i) (iota n) in if null ys then 0 else ys[0]) (iota n))

-- ==
-- entry: d53
-- input { 2i64 } output { [2i64, 2i64] }
-- input { 5i64 } output { [4i64, 8i64, 12i64, 11i64, 5i64] }
entry d53 (n: i64) : []i64 = loop xs = iota n for i in 0..<2 do map2 (+) xs (rotate 1 xs)

-- ==
-- entry: d54
-- input { 2i64 } output { [0i64, 1i64] [1i64, 2i64] [0i64, 2i64] }
-- input { 5i64 } output { [0i64, 1i64, 2i64, 3i64, 4i64] [1i64, 2i64, 3i64, 4i64, 5i64] [0i64, 2i64, 4i64, 6i64, 8i64] }
entry d54 (n: i64) : ([]i64, []i64, []i64) = unzip3 (map (\i -> (i, i + 1, i * 2)) (iota n))

-- ==
-- entry: d55
-- input { 2i64 } output { [0u8, 100u8] }
-- input { 5i64 } output { [0u8, 100u8, 44u8, 88u8, 232u8] }
entry d55 (n: i64) : []u8 = map (\i -> u8.i64 (i * 100)) (iota n) |> scan (+) 0

-- ==
-- entry: d56
-- input { 2i64 } output { 8i64 }
-- input { 5i64 } output { 575i64 }
entry d56 (n: i64) : i64 = let f (g: i64 -> i64) = g (g n) in f (\x -> x * x - 1)

-- ==
-- entry: d57
-- input { [[1, 2, 3], [4, 5, 6]] 2 } output { [65i32, 105i32, 279i32] }
entry d57 [n][m] (xss: [n][m]i32) (d: i32) : [m]i32 =
  map (\i -> reduce (+) 0 (map (\row -> let a = loop acc = replicate 4 0i32 for k < 7i64 do (acc with [k %% 4] = acc[(k + i) %% 4] * d + row[i]) in a[0] + 3 * a[1] + a[3]) xss)) (iota m)

-- A reduction in a block by an operator on scalars and one on arrays: all threads get to know the scalar.
-- ==
-- entry: d58
-- input { [[[1i64, 2i64, 3i64], [4i64, 0i64, 6i64]], [[7i64, 8i64, 9i64], [1i64, 1i64, 1i64]]] }
-- output { [200i64, 165i64] [30i64, 14i64] }
entry d58 [k][n][m] (xsss: [k][n][m]i64) : ([k]i64, [k]i64) =
  #[incremental_flattening(only_intra)]
  unzip (map (\xss ->
    loop (t, u) = (0, 0) for i < 5 do
      let products = reduce (map2 (*)) (replicate m 1) xss
      let first = reduce (\a b -> if b == 0 then a else b + i) 0 (map (\row -> row[0]) xss)
      let all = reduce (&&) true (map (\row -> row[1 % m] > i) xss)
      in (t + i64.sum (map (+ first) products), if all then u else u + first)) xsss)

-- Views of rows that a scan has combined: the rows are where the views look for them.
-- ==
-- entry: d59
-- input { [[1i64, 2i64, 3i64], [4i64, 5i64, 6i64], [7i64, 8i64, 10i64]] }
-- output { [[3i64, 9i64, 19i64], [2i64, 7i64, 15i64], [1i64, 5i64, 12i64]] }
entry d59 [n][m] (xss: [n][m]i64) : [m][n]i64 =
  transpose (map reverse (scan (map2 (+)) (replicate m 0) xss))

-- ==
-- entry: d60
-- input { [[[1i64, 2i64, 3i64], [4i64, 5i64, 6i64]], [[7i64, 8i64, 10i64], [1i64, 1i64, 1i64]]] }
-- output { [[[4i64, 3i64, 2i64], [11i64, 9i64, 7i64]], [[11i64, 9i64, 8i64], [13i64, 11i64, 10i64]]] }
entry d60 [k][n][m] (xsss: [k][n][m]i64) : [k][n][m]i64 =
  map (\xss -> map (\row -> row[::-1]) (scan (map2 (+)) (replicate m 0) (map (map (+ 1)) xss))) xsss

-- Worked out by hand: version 0.25 of the original turns rows round instead of elements.
-- ==
-- entry: d61
-- input { [[1i64, 2i64, 3i64], [4i64, 5i64, 6i64], [7i64, 8i64, 10i64]] [0i64, 2i64, 2i64] }
-- output { [0i64, 0i64, 0i64] [[6i64, 6i64, 22i64], [4i64, 4i64, 18i64], [2i64, 2i64, 16i64]] }
entry d61 [n][m] (xss: [n][m]i64) (is: [n]i64) : ([m]i64, [m][m]i64) =
  let counted = hist (map2 i64.max) (replicate m 0) m is (map (map (* 2)) xss |> map2 (\i row -> map2 (-) row (iota m |> map (* i))) is)
  let scanned = scan (map2 (+)) (replicate m 0) counted
  in (reduce (map2 (*)) (replicate m 1) counted, transpose (map reverse scanned))
