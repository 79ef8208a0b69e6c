-- allocations: c 2, cuda 2, multicore 2
-- call: main 4i64
-- call: main 0i64
-- Elements of twice the size: each would be written over the next ones, which are read later.
def main (n: i64) : []i64 =
  let x = scan (+) 0i32 (map i32.i64 (iota (2 * n)))
  in map (\i -> i64.i32 x[i]) (iota n)
