-- allocations: c 1, cuda 1, multicore 1
-- call: main 2i64 3i64 [1,2,3,4,5,6] [9,8]
-- A reshape between creation and copy (B3, figure 9.1).
def main (n: i64) (m: i64) (a: []i32) (b: []i32) : []i32 =
  let t = map (scan (+) 0) (unflatten (sized (n * m) a))
  in flatten t ++ b
