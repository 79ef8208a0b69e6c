-- allocations: c 1, cuda 1, multicore 1
-- call: main [[1,2],[3,4]] [5,6]
-- The matrix cannot be updated earlier, since it is read in between.
def main [n] (x: *[n][n]i32) (a: [n]i32) : *([n][n]i32, i32) =
  let y = scan (+) 0 a
  let t = x[1, 0] * y[0]
  let x = x with [1, 0] = t
  in (x with [1] = y, t)
