-- allocations: c 2, cuda 3, multicore 3
-- call: main true [1, 2, 3]
-- call: main false [1, 2, 3]
-- Either branch reads the array for the last time, but the first one in another order.
def main [n] (c: bool) (a: [n]i32) : []i32 =
  let x = scan (+) 0 a
  let y = if c then map (\i -> x[n - 1 - i] + i32.i64 i) (iota n) else map (* 2) x
  in scan (+) 0 y
