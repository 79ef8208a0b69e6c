-- Scalars of the device: indices of updates, ends of reductions, guarded reads.
-- ==
-- entry: index
-- input { [0i64, 1i64, 2i64, 3i64, 5i64, 5i64, 6i64, 7i64, 8i64] }
-- output { [0i64, 1i64, 2i64, 3i64, 5i64, 42i64, 6i64, 7i64, 8i64] }
entry index (A: *[9]i64) = #[unsafe] A with [A[4]] = 42

-- ==
-- entry: chain
-- input { [0i64, 1i64, 2i64, 3i64] [1i64, 2i64, 3i64] } output { [0i64, 42i64, 3i64, 3i64] }
-- input { [0i64, 1i64, 2i64, 3i64] [2i64, 2i64, 5i64] } output { [0i64, 1i64, 5i64, 3i64] }
-- input { [0i64, 1i64, 2i64, 3i64] [1i64, 9i64, 3i64] } error: Index \[9\] out of bounds
entry chain (A: *[4]i64) (is: [3]i64) = A with [is[0]] = 42 with [is[1]] = is[2]

-- ==
-- entry: updates_in_loop
-- input { [3i64, 0i64, 1i64, 2i64] 3i64 } output { [0i64, 3i64, 1i64, 3i64] }
entry updates_in_loop [n] (A: *[n]i64) (k: i64) : *[n]i64 =
  loop A for i < k do A with [A[i]] = A[A[i + 1]]

-- ==
-- entry: norms
-- input { [1f64, 4f64, 4f64] [3f64, 4f64, 5f64] } output { 30f64 [4f64, 7f64, 7f64] }
entry norms [n] (xs: [n]f64) (ys: [n]f64) : (f64, [n]f64) =
  let norm = f64.sqrt (f64.sum xs)
  in (norm * f64.maximum (map (* 2) ys), map (+ norm) xs)

-- ==
-- entry: guarded
-- input { [1i64, 4i64, 4i64] 0i64 } output { 0i64 }
-- input { [1i64, 4i64, 5i64] 3i64 } output { 5i64 }
entry guarded (xs: []i64) (n: i64) : i64 =
  loop x = n for i < n do
    if i % 3 == 1 then n else xs[i]

-- ==
-- entry: whole
-- input { [1i64, 4i64, 5i64] 0i64 } output { 1i64 }
-- input { [1i64, 4i64, 5i64] 3i64 } output { 20i64 }
entry whole (xs: []i64) (n: i64) : i64 = loop x = 1 for i < n do x * xs[i]
