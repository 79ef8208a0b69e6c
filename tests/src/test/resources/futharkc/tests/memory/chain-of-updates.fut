-- allocations: c 3, cuda 3, multicore 3
-- call: main 1i64 0i64 [1,2,3]
-- Into a row of a matrix that is put into a larger one (F3).
def main [n] (i: i64) (j: i64) (a: [n]i32) : [][][]i32 =
  let w = replicate 2 (replicate 2 (replicate n 0))
  let v = replicate 2 (scan (+) 0 a)
  let v = v with [j] = scan (i32.max) 0 a
  in w with [i] = v
