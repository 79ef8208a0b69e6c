-- allocations: c 2, cuda 2, multicore 2
-- call: main true [1, 2, 3]
-- call: main false [1, 2, 3]
-- Either branch makes the result, and the second one reads each element where it writes; the first does not.
def main [n] (c: bool) (a: [n]i32) : []i32 =
  let x = scan (+) 0 a
  let y = if c then map (* 2) x else map (\i -> x[n - 1 - i] + i32.i64 i) (iota n)
  in reverse y
