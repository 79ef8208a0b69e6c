-- allocations: c 2, cuda 2, multicore 2
-- call: main 5i64 [1,2,3]
-- call: main 0i64 [1,2,3]
-- Each iteration reads all of the one before.
def main (k: i64) (a: []i32) : []i32 =
  let n = length a
  in loop b = copy a for i < k do map (\j -> b[n - 1 - j] + b[j] + i32.i64 i) (iota n)
