-- allocations: c 1, cuda 1, multicore 1
-- allocations:
-- call: main 2i64 [1,2,3] [7]
-- call: main 0i64 [1,2,3] [7]
-- A loop that works element by element is made in the second part of the result from the start (figure 9.4).
def main [n] [m] (k: i64) (a: [n]i32) (b: [m]i32) : []i32 =
  let t = scan (+) 0 a
  let u = loop u = t for i < k do map (\x -> 2 * x + i32.i64 i) u
  in scan (+) 0 b ++ u
