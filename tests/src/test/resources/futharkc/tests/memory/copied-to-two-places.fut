-- allocations: c 3, cuda 3, multicore 3
-- allocations:
-- call: main 1i64 [1i64,2,3]
-- Copied to two places, it can be made in the last only, the size of which is not known by then; what comes after is made there (figure 5.26).
def main [n] (i: i64) (a: [n]i64) : ([][]i64, [][]i64) =
  let t0 = scan (+) 0 a
  let t1 = replicate 3 (replicate n 0) with [i] = t0
  let m = t0[0] + 2
  let annoying = scan (+) 0 (iota n)
  let t2 = replicate m (replicate n 0)
  let t2[0] = t0
  let t2[1] = annoying
  in (t1, t2)
