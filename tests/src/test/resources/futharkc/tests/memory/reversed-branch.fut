-- allocations: c 1, cuda 1, multicore 1
-- call: main true 2i64 [1,2,3]
-- call: main false 0i64 [1,2,3]
def main (c: bool) (n: i64) (a: []i32) : []i32 =
  let b = if c then scan (+) 0 a else map (* 2) a
  in reverse b ++ replicate n b[0]
