-- allocations: c 1, cuda 1, multicore 1
-- call: main [1,2,3,4,5] 3i64
-- Elements are read after their neighbours were written, in one of the two orders.
def main [n] (x: *[n]i32) (k: i64) : *[n]i32 =
  x with [1:k + 1] = map (+ 1) x[0:k]
