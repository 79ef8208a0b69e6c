-- allocations: c 1, cuda 1, multicore 1
-- call: main [1, 2, 3, 4] [5, 6] [0i64, 1i64] [9, 8]
-- call: main [1, 2, 3, 4] [5, 6] [7i64] [9]
-- The first element is read before it is written: the scatter may not come earlier.
def main [n] [k] [m] (d: *[n]i32) (v: [k]i32) (is: [m]i64) (vs: [m]i32) : ([]i32, i32) =
  let x = scan (+) 0 v
  let s = d[0]
  let e = scatter d is vs
  let e[n - k:] = x :> [n - (n - k)]i32
  in (e, s)
