-- allocations: c 3, cuda 3, multicore 3
-- call: main 3i64 [1, 2, 3]
-- call: main 0i64 [1, 2]
-- Each iteration reads neighbours: its result cannot be where it is read.
def main [n] (k: i64) (a: [n]i32) : []i32 =
  let first = scan (+) 0 a
  let last = loop x = first for i < k do map (\j -> x[j] + x[n - 1 - j] + i32.i64 i) (iota n)
  in last ++ [7]
