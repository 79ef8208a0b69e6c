-- allocations: c 0, cuda 1, multicore 1
-- call: main [3,1,2]
-- Scans over what dies: element by element (figures 6.6 and 6.7), in the block that the caller gives away (F9, B5).
def main (a: *[]i32) : *[]i32 =
  let b = scan (+) 0 a
  let c = scan (i32.max) 0 b
  in map2 (+) c (scan (+) 1 c)
