-- allocations: c 1, cuda 1, multicore 1
-- allocations:
-- call: main 1i64 [1,2,3]
-- Made in the row that it is put into, at an offset known before (figure 5.8).
def main [n] (i: i64) (a: [n]i32) : [][]i32 =
  let t0 = scan (+) 0 a
  let t1 = replicate 3 a
  in t1 with [i] = t0
