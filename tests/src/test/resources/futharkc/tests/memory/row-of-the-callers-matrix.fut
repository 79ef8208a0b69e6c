-- allocations: c 1, cuda 1, multicore 1
-- allocations:
-- call: main 1i64 [[1,2,3],[4,5,6]]
-- What is copied is a part of another array (figure 5.14).
def main [k][n] (i: i64) (a: [k][n]i32) : [][]i32 =
  let t = replicate 3 (replicate n 0)
  in t with [i] = a[i]
