-- allocations: c 2, cuda 2, multicore 2
-- allocations:
-- call: main true [[1,2],[3,4]] [5,6] 0i64
-- call: main false [[1,2],[3,4]] [5,6] 1i64
-- Both arrays are there before the branches (figure 5.20).
def main [n] (c: bool) (x: *[n][n]i32) (a: [n]i32) (k: i64) : *[n][n]i32 =
  let y = scan (+) 0 a
  let z = scan i32.max 0 a
  let r = if c then y else z
  in x with [k] = r
