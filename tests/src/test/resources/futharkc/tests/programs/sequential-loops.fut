-- Loops that one processor runs step by step, on arrays of a few and of many elements. On a device,
-- either one thread or the host runs them.

-- ==
-- entry: prefix
-- input { 5i64 }
-- output { 82i64 58i64 }
-- input { 30000i64 }
-- output { 1489692191i64 44673i64 }
entry prefix (n: i64) : (i64, i64) =
  let (xs, s) =
    loop (xs, s) = (map (% 97) (iota n), 0)
    for i < n do
      let s' = (s * 3 + xs[i]) % 100003
      in (xs with [i] = s', s')
  in (i64.sum xs, s)

-- ==
-- entry: distance
-- input { 4i64 }
-- output { 3i32 }
-- input { 400i64 }
-- output { 341i32 }
entry distance (n: i64) : i32 =
  let a = map (\i -> i32.i64 (i * i % 11)) (iota n)
  let b = map (\i -> i32.i64 (i * 7 % 13)) (iota n)
  let row =
    loop row = map i32.i64 (iota (n + 1))
    for i < n do
      let (row, _, _) =
        loop (row, diagonal, left) = (row, row[0], i32.i64 (i + 1))
        for j < n do
          let up = row[j + 1]
          let c = i32.min (i32.min (up + 1) (left + 1)) (diagonal + i32.bool (a[i] != b[j]))
          in (row with [j + 1] = c, up, c)
      in row with [0] = i32.i64 (i + 1)
  in row[n]

-- ==
-- entry: sorted
-- input { 7i64 }
-- output { 12621i32 }
-- input { 2000i64 }
-- output { 8055455i32 }
entry sorted (n: i64) : i32 =
  let keys = map (\i -> i32.i64 (i * 7919 % 1009)) (iota n)
  let xs =
    loop xs = keys
    for i in 1..<n do
      let k = xs[i]
      let (xs, j, _) =
        loop (xs, j, more) = (xs, i, true)
        while more do
          if j > 0 && xs[j - 1] > k
          then (xs with [j] = xs[j - 1], j - 1, true)
          else (xs, j, false)
      in xs with [j] = k
  in i32.sum (map2 (\i x -> i32.i64 (i % 17) * x) (iota n) xs)

-- ==
-- entry: primes
-- input { 30i64 }
-- output { 12i64 }
-- input { 40000i64 }
-- output { 4205i64 }
entry primes (n: i64) : i64 =
  let ps =
    loop ps = replicate n true
    for i in 2..<n do
      if ps[i]
      then loop ps for j < (n - 1) / i - 1 do ps with [(j + 2) * i] = false
      else ps
  in i64.sum (map i64.bool ps)

-- ==
-- entry: random
-- input { 5i64 1u32 }
-- output { [1015568748u32, 1586005467u32, 2165703038u32, 3027450565u32, 217083232u32] 217083232u32 }
-- input { 30000i64 7u32 }
-- output { [3505927600u32] 3640588087u32 }
entry random (n: i64) (seed: u32) : ([]u32, u32) =
  let (s, xs) =
    loop (s, xs) = (seed, replicate n 0u32)
    for i < n do
      let s' = s * 1664525 + 1013904223
      in (s', xs with [i] = s')
  in (if n < 9 then xs else [reduce (^) 0 xs], s)

-- ==
-- entry: walk
-- input { 5i64 9i64 }
-- output { 4i64 }
-- input { 3001i64 100000i64 }
-- output { 2052i64 }
entry walk (n: i64) (steps: i64) : i64 =
  let next = map (\i -> (i * 31 + 7) % n) (iota n)
  in loop i = 1 for _s < steps do next[i]

-- ==
-- entry: mixed
-- input { 4i64 }
-- output { 91.0f16 3i64 128i64 16.0f64 }
-- input { 20000i64 }
-- output { 99.0f16 6662i64 3756i64 60277.0f64 }
entry mixed (n: i64) : (f16, i64, i64, f64) =
  let (a, b, c, s, _) =
    loop (a, b, c, s, k) = (replicate n 0f16, replicate n false, replicate n 0i8, 0f64, 1i32)
    for i < n do
      let k = k * 75 % 65537
      in ( a with [i] = f16.i32 (k % 100)
         , b with [i] = k % 3 == 0
         , c with [i] = i8.i32 k
         , s + f64.i32 (k % 7)
         , k
         )
  in (f16.maximum a, i64.sum (map i64.bool b), i64.sum (map i64.i8 c), s)

-- ==
-- entry: rows
-- input { 3i64 4i64 }
-- output { 17.5f64 }
-- input { 120i64 200i64 }
-- output { 1467.397071433416158f64 }
entry rows (n: i64) (m: i64) : f64 =
  let xs = tabulate_2d n m (\i j -> f64.i64 ((i * 13 + j * 7) % 23))
  let ys =
    loop xs for i < n - 1 do
      loop xs for j < m do xs with [i + 1, j] = xs[i + 1, j] - 0.5 * xs[i, j]
  in f64.sum (map (\i -> ys[n - 1, i]) (iota m))

-- ==
-- entry: outside
-- input { 6i64 }
-- error: Index .6. out of bounds for array of shape .6..
-- input { 60000i64 }
-- error: Index .60000. out of bounds for array of shape .60000..
entry outside (n: i64) : i64 =
  let xs = loop xs = iota n for i < n do xs with [xs[i] * 2] = 1
  in i64.sum xs
