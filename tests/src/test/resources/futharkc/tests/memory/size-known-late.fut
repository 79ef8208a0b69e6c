-- allocations: c 1, cuda 1, multicore 1
-- call: main 2i64 [1,2,3]
-- call: main -1i64 [1,2,3]
-- What follows may turn out to have a negative size.
def main (n: i64) (a: []i32) : []i32 =
  scan (+) 0 a ++ replicate n 7
