-- allocations: c 3, cuda 4, multicore 3
-- allocations:
-- call: main [1,2,3] 1i64 2i64
-- The outer matrix is read while the inner is made in rows of its own: one array is made in its place all the same (figures 7.10 and 7.11).
def main [n] (a: [n]i32) (i: i64) (j: i64) : ([][][]i32, i32) =
  let ws = replicate 3 (replicate 3 (replicate n 0))
  let xs = scan (+) 0 a
  let s = i32.sum (flatten (flatten ws))
  let vs = replicate 3 (scan i32.max 0 a)
  let vs[j] = xs
  let ws[i] = vs
  in (ws, s)
