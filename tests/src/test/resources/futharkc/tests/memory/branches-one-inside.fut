-- allocations: c 0, cuda 0, multicore 0
-- call: main true [[1,2],[3,4]] [5,6] 0i64
-- call: main false [[1,2],[3,4]] [5,6] 1i64
-- One branch passes on what was made before (figure 5.22).
def main [n] (c: bool) (x: *[n][n]i32) (a: [n]i32) (k: i64) : *[n][n]i32 =
  let y = scan (+) 0 a
  let z = if c then y else scan (i32.max) 0 a
  in x with [k] = z
