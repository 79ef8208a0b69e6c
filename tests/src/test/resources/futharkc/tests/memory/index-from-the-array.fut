-- allocations: c 2, cuda 2, multicore 2
-- allocations:
-- call: main 1i64 [1i64,0,2]
-- Where it goes is in the array itself (figure 5.15).
def main [n] (i: i64) (a: [n]i64) : [][]i64 =
  let t1 = replicate 3 (replicate n 0)
  let t0 = scan (+) 0 a
  let j = t0[i]
  in t1 with [j] = t0
