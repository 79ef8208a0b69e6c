-- allocations: c 1, cuda 1, multicore 1
-- call: main [1, 2, 3, 4] 3i64 2i64
-- call: main [1, 2, 3, 4] 2i64 0i64
-- Each iteration reads what the copy overwrites: not even an elementwise one may write there.
def main [n] (d: *[n]i32) (m: i64) (k: i64) : []i32 =
  let first = scan (+) 0 (replicate m 100)
  let y = loop _p = first for j < k do map (+ i32.i64 j) d[0:m]
  let d[0:m] = y
  in d
