-- allocations: c 2, cuda 2, multicore 2
-- call: main true [[1,2],[3,4]] [5,6] 0i64
-- call: main false [[1,2],[3,4]] [5,6] 1i64
-- The other branch reads it while it makes its own (figure 5.19): two blocks, or a copy.
def main [n] (c: bool) (x: *[n][n]i32) (a: [n]i32) (k: i64) : *[n][n]i32 =
  let y = scan (+) 0 a
  let z = if c then y else map (\i -> y[n - 1 - i]) (iota n)
  in x with [k] = z
