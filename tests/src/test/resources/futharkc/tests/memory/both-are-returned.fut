-- allocations: c 2, cuda 2, multicore 2
-- call: main [1,2,3]
-- The result is the last use (F5, figure 6.1).
def main (a: []i32) : ([]i32, []i32) =
  let b = scan (+) 0 a
  in (b, map (+ 1) b)
