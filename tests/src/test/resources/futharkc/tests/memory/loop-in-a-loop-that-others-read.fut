-- allocations: c 6, cuda 7, multicore 7
-- What an inner loop makes is passed on twice, and once more after an iteration: the next inner loop
-- does not write over it.
-- call: main 3i64 [1, 2, 3] [4, 5, 6] [7, 8, 9]
-- call: first 3i64 [1, 2, 3]
entry main [n] (k: i64) (a: [n]i32) (b: [n]i32) (c: [n]i32) =
  let as = scan (+) 0 a
  let bs = scan (+) 0 b
  let cs = scan (+) 0 c
  in loop (p, q, _s) = (as, bs, cs) for _i < k do
    let next = loop v = p for _j < 2 do scan (+) 1 (map (* 2) v)
    in (next, next, q)
-- Nor over what the outer one started with, which each iteration reads.
entry first [n] (k: i64) (a: [n]i32) =
  let as = scan (+) 0 a
  in loop (p, s) = (as, 0) for i < k do
    let next = loop v = p for _j < 2 do map (\x -> 2 * x + 1) v
    in (next, 3 * s + as[i])
