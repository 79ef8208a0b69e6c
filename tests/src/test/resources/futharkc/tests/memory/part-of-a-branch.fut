-- allocations: c 3, cuda 3, multicore 3
-- call: main true 1i64 [1,2,3]
-- call: main false 3i64 [1,2,3]
def main (c: bool) (k: i64) (a: []i32) : []i32 =
  let b = if c then scan (+) 0 a else map (* 2) a
  in b[k:] ++ replicate k 7
