-- Loops that one processor runs step by step: one thread of the device, or the host on copies.
-- ==
-- entry: recurrence
-- input { 100i64 }
-- input { 300i64 }
-- input { 1000i64 }
-- input { 10000i64 }
-- input { 100000i64 }
entry recurrence (n: i64) : f32 =
  let xs =
    loop xs = map f32.i64 (iota n)
    for i < n - 1 do
      xs with [i + 1] = xs[i] * 0.5 + xs[i + 1]
  in f32.maximum xs

-- ==
-- entry: walk
-- input { 1000i64 100i64 }
-- input { 1000i64 1000i64 }
-- input { 1000i64 10000i64 }
-- input { 1000000i64 1000i64 }
-- input { 1000000i64 10000i64 }
-- input { 30000000i64 10000i64 }
entry walk (n: i64) (steps: i64) : i64 =
  let next = map (\i -> (i * 7919 + 13) % n) (iota n)
  in loop i = 1 for _s < steps do next[i]

-- ==
-- entry: random
-- input { 10i64 1u32 }
-- input { 100i64 1u32 }
-- input { 1000i64 1u32 }
-- input { 100000i64 1u32 }
entry random (n: i64) (seed: u32) : u32 =
  let (s, xs) =
    loop (s, xs) = (seed, replicate n 0u32)
    for i < n do
      let s' = s * 1664525 + 1013904223
      in (s', xs with [i] = s')
  in reduce (^) s xs

-- ==
-- entry: distance
-- input { 10i64 }
-- input { 30i64 }
-- input { 100i64 }
-- input { 1000i64 }
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
-- entry: primes
-- input { 1000i64 }
-- input { 1000000i64 }
entry primes (n: i64) : i64 =
  let ps =
    loop ps = replicate n true
    for i in 2..<n do
      if ps[i]
      then loop ps for j < (n - 1) / i - 1 do ps with [(j + 2) * i] = false
      else ps
  in i64.sum (map i64.bool ps)

-- ==
-- entry: sorted
-- input { 100i64 }
-- input { 1000i64 }
entry sorted (n: i64) : i32 =
  let xs =
    loop xs = map (\i -> i32.i64 (i * 7919 % 1009)) (iota n)
    for i in 1..<n do
      let k = xs[i]
      let (xs, j, _) =
        loop (xs, j, more) = (xs, i, true)
        while more do
          if j > 0 && xs[j - 1] > k
          then (xs with [j] = xs[j - 1], j - 1, true)
          else (xs, j, false)
      in xs with [j] = k
  in xs[n / 2]
