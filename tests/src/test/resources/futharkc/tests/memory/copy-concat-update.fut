-- allocations: c 1, cuda 1, multicore 1
-- allocations:
-- call: main 1i64 [1,2,3]
-- A copy, a concatenation and an update, one after the other: all in the last one's block, which is filled first (figure 5.9).
def main [n] (i: i64) (a: [n]i32) : [][]i32 =
  let t0 = scan (+) 0 a
  let t1 = copy t0
  let t2 = t1 ++ a
  let t3 = replicate 3 (replicate (n + n) 0)
  in t3 with [i] = (t2 :> [n + n]i32)
