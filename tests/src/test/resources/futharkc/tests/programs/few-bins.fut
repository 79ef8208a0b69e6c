-- Histograms with few bins whose indices are computed: each thread of a thread block decides for itself whether it
-- has an element.
-- ==
-- entry: sum
-- input { 3i64 10i64 1i64 } output { 10i64 }
-- input { 2i64 10i64 1i64 } output { 10i64 }
-- input { 7i64 1000i64 2i64 } output { 2000i64 }
-- input { 1i64 0i64 1i64 } output { 0i64 }
entry sum (m: i64) (k: i64) (x: i64): i64 =
  i64.sum (reduce_by_index (replicate m 0) (+) 0 (map (% m) (iota k)) (replicate k x))

-- The index is found by a loop whose number of iterations differs between threads.
-- ==
-- entry: collatz
-- input { 4i64 30i64 } output { [7i64, 6i64, 8i64, 9i64] }
entry collatz (m: i64) (k: i64): [m]i64 =
  let steps (i: i64) =
    let (s, _) =
      loop (s, x) = (0, i + 1)
      while x != 1 do (s + 1, if x % 2 == 0 then x / 2 else 3 * x + 1)
    in s
  in reduce_by_index (replicate m 0) (+) 0 (map (\i -> steps i % m) (iota k)) (replicate k 1)
