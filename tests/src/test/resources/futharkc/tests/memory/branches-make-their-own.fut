-- allocations: c 0, cuda 0, multicore 0
-- allocations:
-- call: main true [[1,2],[3,4]] [5,6] 0i64
-- call: main false [[1,2],[3,4]] [5,6] 1i64
-- Each branch makes its own, in the caller's matrix (figure 5.21).
def main [n] (c: bool) (x: *[n][n]i32) (a: [n]i32) (k: i64) : *[n][n]i32 =
  let r = if c then scan (+) 0 a else scan i32.max 0 a
  in x with [k] = r
