-- Arrays: ranges, slices, combinators. The values are those of version 0.25 of the original compiler.

-- ==
-- entry: b1
-- input { 2i64 } output { [0i64, 3i64] }
-- input { 5i64 } output { [0i64, 3i64, 6i64, 9i64, 12i64] }
entry b1 (n: i64) : []i64 = iota n |> map (* 3)

-- ==
-- entry: b2
-- input { 2i64 } output { [1i64, 0i64] }
-- input { 5i64 } output { [4i64, 3i64, 2i64, 1i64, 0i64] }
entry b2 (n: i64) : []i64 = (iota n)[::-1]

-- ==
-- entry: b4
-- input { 2i64 } output { [2i64, 3i64] }
-- input { 5i64 } output { [5i64, 6i64, 7i64, 8i64, 9i64] }
entry b4 (n: i64) : []i64 = (iota (n*n))[n:2*n]

-- ==
-- entry: b5
-- input { 2i64 } output { [[0i64, 10i64], [1i64, 11i64], [2i64, 12i64]] }
-- input { 5i64 } output { [[0i64, 10i64, 20i64, 30i64, 40i64], [1i64, 11i64, 21i64, 31i64, 41i64], [2i64, 12i64, 22i64, 32i64, 42i64], [3i64, 13i64, 23i64, 33i64, 43i64], [4i64, 14i64, 24i64, 34i64, 44i64], [5i64, 15i64, 25i64, 35i64, 45i64]] }
entry b5 (n: i64) : [][]i64 = transpose (tabulate_2d n (n+1) (\i j -> i*10+j))

-- ==
-- entry: b6
-- input { 2i64 } output { [0i64, -1i64, 1i64, 0i64] }
-- input { 5i64 } output { [0i64, -1i64, 1i64, 0i64, 2i64, 1i64, 3i64, 2i64, 4i64, 3i64] }
entry b6 (n: i64) : []i64 = flatten (tabulate_2d n 2 (\i j -> i-j))

-- ==
-- entry: b7
-- input { 2i64 } output { [[0i64, 1i64], [2i64, 3i64]] }
-- input { 5i64 } output { [[0i64, 1i64], [2i64, 3i64], [4i64, 5i64], [6i64, 7i64], [8i64, 9i64]] }
entry b7 (n: i64) : [][]i64 = unflatten (iota (n*2) :> [n*2]i64)

-- ==
-- entry: b8
-- input { 2i64 } output { [0i64, 1i64] }
-- input { 5i64 } output { [0i64, 1i64, 3i64, 6i64, 10i64] }
entry b8 (n: i64) : []i64 = scan (+) 0 (iota n)

-- ==
-- entry: b9
-- input { 2i64 } output { [0i64, 1i64] }
-- input { 5i64 } output { [0i64, 1i64, 4i64, 4i64, 5i64] }
entry b9 (n: i64) : []i64 = scan (\a b -> a * 2 + b) 0 (iota n) |> map (% 7)

-- ==
-- entry: b10
-- input { 2i64 } output { 1i64 0i64 }
-- input { 5i64 } output { 10i64 0i64 }
entry b10 (n: i64) : (i64, i64) = reduce (\(a,b) (c,d) -> (a+c, i64.max b d)) (0, i64.lowest) (zip (iota n) (map (* (-1)) (iota n)))

-- ==
-- entry: b11
-- input { 2i64 } output { [1i64] }
-- input { 5i64 } output { [1i64, 4i64] }
entry b11 (n: i64) : []i64 = filter (\x -> x % 3 == 1) (iota n)

-- ==
-- entry: b12
-- input { 2i64 } output { [0i64] [1i64] }
-- input { 5i64 } output { [0i64, 2i64, 4i64] [1i64, 3i64] }
entry b12 (n: i64) : ([]i64, []i64) = partition (\x -> x % 2 == 0) (iota n)

-- ==
-- entry: b13
-- input { 2i64 } output { [0i64, 7i64] }
-- input { 5i64 } output { [0i64, 7i64, 1i64, 7i64, 2i64] }
entry b13 (n: i64) : []i64 = scatter (replicate n 7) (map (* 2) (iota n)) (iota n)

-- ==
-- entry: b14
-- input { 2i64 } output { [0i64, 1i64, 0i64] }
-- input { 5i64 } output { [3i64, 5i64, 2i64] }
entry b14 (n: i64) : []i64 = hist (+) 0 3 (map (% 3) (iota n)) (iota n)

-- ==
-- entry: b15
-- input { 2i64 } output { [100i64, 100i64, 100i64, 100i64] }
-- input { 5i64 } output { [100i64, 100i64, 100i64, 100i64] }
entry b15 (n: i64) : []i64 = reduce_by_index (replicate 4 100) i64.max i64.lowest (map (% 5) (iota n)) (map (* 30) (iota n))

-- ==
-- entry: b16
-- input { 2i64 } output { [0i64, 1i64] }
-- input { 5i64 } output { [2i64, 3i64, 4i64, 0i64, 1i64] }
entry b16 (n: i64) : []i64 = rotate 2 (iota n)

-- ==
-- entry: b17
-- input { 2i64 } output { [0i64, 1i64, 9i64, 9i64] }
-- input { 5i64 } output { [0i64, 1i64, 2i64, 3i64, 4i64, 9i64, 9i64] }
entry b17 (n: i64) : []i64 = concat (iota n) (replicate 2 9)

-- ==
-- entry: b18
-- input { 2i64 } output { [0i64, 1i64, 0i64, 1i64] }
-- input { 5i64 } output { [0i64, 1i64, 2i64, 3i64, 4i64, 0i64, 1i64] }
entry b18 (n: i64) : []i64 = iota n ++ iota 2

-- ==
-- entry: b19
-- input { 2i64 } output { 0i64 1i64 [1i64] }
-- input { 5i64 } output { 0i64 4i64 [1i64, 2i64, 3i64, 4i64] }
entry b19 (n: i64) : (i64, i64, []i64) = let xs = iota n in (head xs, last xs, tail xs)

-- ==
-- entry: b20
-- input { 2i64 } output { [0i64, 1i64] [2i64, 3i64] }
-- input { 5i64 } output { [0i64, 1i64] [2i64, 3i64, 4i64, 5i64, 6i64] }
entry b20 (n: i64) : ([]i64, []i64) = split (iota (2+n) :> [2+n]i64)

-- ==
-- entry: b21
-- input { 2i64 } output { [0i64, 1i64] [0i32, 1i32] }
-- input { 5i64 } output { [0i64, 1i64, 2i64, 3i64, 4i64] [0i32, 1i32, 2i32, 3i32, 4i32] }
entry b21 (n: i64) : ([]i64, []i32) = unzip (zip (iota n) (map i32.i64 (iota n)))

-- ==
-- entry: b22
-- input { 2i64 } output { 1i64 }
-- input { 5i64 } output { 6i64 }
entry b22 (n: i64) : i64 = length (filter (> 2) (iota n)) + (iota n)[n-1]

-- ==
-- entry: b23
-- input { 2i64 } output { [0i64, 42i64] }
-- input { 5i64 } output { [0i64, 42i64, 2i64, 3i64, 4i64] }
entry b23 (n: i64) : []i64 = let xs = copy (iota n) in xs with [1] = 42

-- ==
-- entry: b24
-- input { 2i64 } output { [[5i64, 5i64], [1i64, 2i64]] }
-- input { 5i64 } output { [[5i64, 5i64, 5i64, 5i64, 5i64], [1i64, 2i64, 3i64, 4i64, 5i64], [2i64, 3i64, 4i64, 5i64, 6i64], [3i64, 4i64, 5i64, 6i64, 7i64], [4i64, 5i64, 6i64, 7i64, 8i64]] }
entry b24 (n: i64) : [][]i64 = let xs = tabulate_2d n n (+) in xs with [0] = replicate n 5

-- ==
-- entry: b25
-- input { 2i64 } error:
-- input { 5i64 } output { [[0i64, 1i64, 2i64, 3i64, 4i64], [7i64, 2i64, 3i64, 4i64, 5i64], [8i64, 3i64, 4i64, 5i64, 6i64], [3i64, 4i64, 5i64, 6i64, 7i64], [4i64, 5i64, 6i64, 7i64, 8i64]] }
entry b25 (n: i64) : [][]i64 = let xs = tabulate_2d n n (+) in xs with [1:3, 0] = [7, 8]

-- ==
-- entry: b26
-- input { 2i64 } output { [0i64, 0i64] }
-- input { 5i64 } output { [0i64, 3i64, 4i64, 3i64, 0i64] }
entry b26 (n: i64) : []i64 = map2 (\x y -> x * y) (iota n) (reverse (iota n))

-- ==
-- entry: b27
-- input { 2i64 } output { [-1i64, 1i64] }
-- input { 5i64 } output { [-1i64, 1i64, 3i64, 5i64, 7i64] }
entry b27 (n: i64) : []i64 = map3 (\x y z -> x + y - z) (iota n) (iota n) (replicate n 1)

-- ==
-- entry: b28
-- input { 2i64 } output { [false, true] }
-- input { 5i64 } output { [false, true, false, true, false] }
entry b28 (n: i64) : []bool = map (\x -> any (== x) [1, 3]) (iota n)

-- ==
-- entry: b29
-- input { 2i64 } output { true }
-- input { 5i64 } output { false }
entry b29 (n: i64) : bool = all (< 3) (iota n)

-- ==
-- entry: b30
-- input { 2i64 } output { [2i64, 2i64] }
-- input { 5i64 } output { [11i64, 11i64, 11i64, 11i64, 11i64] }
entry b30 (n: i64) : []i64 = loop xs = replicate n 1 for i < n do map (+ i) xs

-- ==
-- entry: b31
-- input { 2i64 } output { 128i64 }
-- input { 5i64 } output { 125i64 }
entry b31 (n: i64) : i64 = loop a = 1 while a < 100 do a * n

-- ==
-- entry: b32
-- input { 2i64 } output { 1i64 2i64 }
-- input { 5i64 } output { 5i64 8i64 }
entry b32 (n: i64) : (i64, i64) = loop (a, b) = (0, 1) for _i < n do (b, a + b)

-- ==
-- entry: b33
-- input { 2i64 } output { [0i64, 1i64] }
-- input { 5i64 } output { [0i64, 1i64, 2i64, 3i64, 4i64] }
entry b33 (n: i64) : []i64 = loop xs = [] for i < n do xs ++ [i]

-- ==
-- entry: b34
-- input { 2i64 } output { 1i64 }
-- input { 5i64 } output { 30i64 }
entry b34 (n: i64) : i64 = loop s = 0 for x in iota n do s + x * x

-- ==
-- entry: b35
-- input { 2i64 } output { [0i64, 0i64] }
-- input { 5i64 } output { [0i64, 0i64, 1i64, 3i64, 6i64] }
entry b35 (n: i64) : []i64 = map (\i -> reduce (+) 0 (iota i)) (iota n)

-- ==
-- entry: b36
-- input { 2i64 } output { [[0i64, 1i64], [1i64, 2i64]] }
-- input { 5i64 } output { [[0i64, 1i64, 3i64, 6i64, 10i64], [1i64, 2i64, 4i64, 7i64, 11i64], [2i64, 3i64, 5i64, 8i64, 12i64], [3i64, 4i64, 6i64, 9i64, 13i64], [4i64, 5i64, 7i64, 10i64, 14i64]] }
entry b36 (n: i64) : [][]i64 = map (\i -> map (+ i) (scan (+) 0 (iota n))) (iota n)

-- ==
-- entry: b37
-- input { 2i64 } output { [0i64, 0i64] }
-- input { 5i64 } output { [0i64, 0i64, 1i64, 3i64, 6i64] }
entry b37 (n: i64) : []i64 = map (\i -> (loop s = 0 for j < i do s + j)) (iota n)

-- ==
-- entry: b38
-- input { 2i64 } output { [0i64, 1i64] }
-- input { 5i64 } output { [0i64, 1i64, 2i64, 3i64, 4i64] }
entry b38 (n: i64) : []i64 = map (\i -> if i % 2 == 0 then i else length (filter (< i) (iota n))) (iota n)

-- ==
-- entry: b39
-- input { 2i64 } output { [[1i64, 0i64], [0i64, 1i64]] }
-- input { 5i64 } output { [[1i64, 0i64, 0i64, 0i64, 0i64], [0i64, 1i64, 0i64, 0i64, 0i64], [0i64, 0i64, 1i64, 0i64, 0i64], [0i64, 0i64, 0i64, 1i64, 0i64], [0i64, 0i64, 0i64, 0i64, 1i64]] }
entry b39 (n: i64) : [][]i64 = map (\i -> scatter (replicate n 0) [i] [1]) (iota n)

-- ==
-- entry: b40
-- input { 2i64 } output { [[1i64, 1i64], [1i64, 1i64]] }
-- input { 5i64 } output { [[3i64, 2i64], [2i64, 3i64], [3i64, 2i64], [2i64, 3i64], [3i64, 2i64]] }
entry b40 (n: i64) : [][]i64 = map (\i -> hist (+) 0 2 (map (\j -> (i + j) % 2) (iota n)) (replicate n 1)) (iota n)

-- ==
-- entry: b41
-- input { 2i64 } output { [0i64, 1i64] }
-- input { 5i64 } output { [0i64, 1i64, 2i64, 3i64, 4i64] }
entry b41 (n: i64) : []i64 = 0..<n

-- ==
-- entry: b42
-- input { 2i64 } output { [0i64, 1i64, 2i64] }
-- input { 5i64 } output { [0i64, 1i64, 2i64, 3i64, 4i64, 5i64] }
entry b42 (n: i64) : []i64 = 0...n

-- ==
-- entry: b45
-- input { 2i64 } output { [0i32, 1i32, 2i32, 2i32] }
-- input { 5i64 } output { [0i32, 1i32, 2i32, 5i32] }
entry b45 (n: i64) : []i32 = map i32.i64 (indices [1, 2, 3]) ++ [i32.i64 n]

-- ==
-- entry: b46
-- input { 2i64 } output { 1i64 [0i64, 1i64] }
-- input { 5i64 } output { 10i64 [0i64, 1i64, 4i64, 9i64, 16i64] }
entry b46 (n: i64) : (i64, []i64) = let (xs, ys) = unzip (map (\i -> (i, i * i)) (iota n)) in (i64.sum xs, ys)

-- ==
-- entry: b48
-- input { 2i64 } output { -1i64 }
-- input { 5i64 } output { 2i64 }
entry b48 (n: i64) : i64 = foldr (\x acc -> x - acc) 0 (iota n)

-- ==
-- entry: b49
-- input { 2i64 } output { [1i64, 2i64] }
-- input { 5i64 } output { [10i64, 5i64] }
entry b49 (n: i64) : []i64 = reduce_comm (map2 (+)) (replicate 2 0) (map (\i -> [i, 1]) (iota n))

-- ==
-- entry: b50
-- input { 2i64 } output { [[0i64, 1i64], [1i64, 2i64]] }
-- input { 5i64 } output { [[0i64, 1i64], [1i64, 2i64], [3i64, 3i64], [6i64, 4i64], [10i64, 5i64]] }
entry b50 (n: i64) : [][]i64 = scan (map2 (+)) (replicate 2 0) (map (\i -> [i, 1]) (iota n))

-- ==
-- entry: b51
-- input { 2i64 } output { [0u8, 1u8, 104u8, 195u8, 169u8] }
-- input { 5i64 } output { [0u8, 1u8, 2u8, 3u8, 4u8, 104u8, 195u8, 169u8] }
entry b51 (n: i64) : []u8 = map u8.i64 (iota n) ++ "hé"

-- ==
-- entry: b52
-- input { 2i64 } output { [[[0i64], [2i64]], [[1i64], [3i64]]] }
-- input { 5i64 } output { [[[0i64], [2i64], [4i64], [6i64], [8i64]], [[1i64], [3i64], [5i64], [7i64], [9i64]]] }
entry b52 (n: i64) : [][][]i64 = tabulate_3d 2 n 1 (\i j k -> i + 2 * j + k)

-- ==
-- entry: b53
-- input { 2i64 } output { [1i64, 9i64] }
-- input { 5i64 } output { [1i64, 9i64, 2i64, 9i64, 9i64] }
entry b53 (n: i64) : []i64 = spread n 9 [0, 2, 100] [1, 2, 3]

-- ==
-- entry: b54
-- input { 2i64 } output { [7i64, 7i64] }
-- input { 5i64 } output { [7i64, 7i64, 2i64, 3i64, 4i64] }
entry b54 (n: i64) : []i64 = (copy (iota n)) with [0:2] = [7,7]

-- ==
-- entry: b55
-- input { 2i64 } output { 60i64 }
-- input { 5i64 } output { 3570i64 }
entry b55 (n: i64) : i64 = i64.sum (map (\xs -> i64.product xs) (unflatten (iota (n*3) :> [n*3]i64) :> [n][3]i64))

-- ==
-- entry: b56
-- input { 2i64 } output { [0i64, 2i64] }
-- input { 5i64 } output { [0i64, 2i64, 6i64, 12i64, 20i64] }
entry b56 (n: i64) : []i64 = map (\(i, (a, b)) -> i + a * b) (zip (iota n) (zip (iota n) (iota n)))

-- ==
-- entry: b57
-- input { 2i64 } output { [0i64, 2i64] }
-- input { 5i64 } output { [0i64, 5i64, 10i64, 15i64, 20i64] }
entry b57 (n: i64) : []i64 = let f x = x * n in map f (iota n)

-- ==
-- entry: b58
-- input { 2i64 } output { [1i64, 3i64] }
-- input { 5i64 } output { [1i64, 3i64, 7i64, 13i64, 21i64] }
entry b58 (n: i64) : []i64 = map (\x -> let y = x + 1 let z = y * y in z - x) (iota n)
