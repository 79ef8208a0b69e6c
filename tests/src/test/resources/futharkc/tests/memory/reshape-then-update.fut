-- allocations: c 0, cuda 0, multicore 0
-- call: main [[1,2,3,4],[5,6,7,8]] [1,2,3,4] 2i64 2i64
-- call: main [[1,2,3],[5,6,7]] [3,4,5] 3i64 1i64
-- Into a block of the caller, through a reshape (B3, figure 9.3).
def main [k] [l] (y: *[k][l]i32) (a: [l]i32) (n: i64) (m: i64) : *[k][l]i32 =
  let t = map (scan (+) 0) (unflatten (sized (n * m) a))
  in y with [0] = (flatten t :> [l]i32)
