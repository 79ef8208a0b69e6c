-- allocations: c 3, cuda 3, multicore 3
-- call: main [3i32, 1i32, 2i32] 2i64
-- call: main [5i32] 0i64
-- What the loop began with is copied beside what it ends with: both cannot be made in one part of the result.
entry main [n] (xs: [n]i32) (k: i64) : []i32 =
  let first = scan (+) 0 xs
  let last = loop _now = first for i < k do replicate n (i32.i64 i)
  in last ++ first
