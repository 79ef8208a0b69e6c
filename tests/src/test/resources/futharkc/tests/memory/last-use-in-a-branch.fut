-- allocations: c 1, cuda 3, multicore 3
-- call: main true [1,2,3]
-- call: main false [1,2,3]
-- Each branch is the last to use the array (B2, figure 9.7).
def main (c: bool) (a: []i32) : []i32 =
  let b = scan (+) 0 a
  in if c then scan (i32.max) 0 b else scan (i32.min) 100 b
