-- allocations: c 3, cuda 3, multicore 3
-- allocations:
-- call: main 2i64 [1,2,3]
-- call: main 0i64 [1,2,3]
-- A loop of which each iteration reads all of the last one: it ends in a part of the result, or is copied there (figure 9.4).
def main [n] (k: i64) (a: [n]i32) : []i32 =
  let t = scan (+) 0 a
  let u = loop u = t for _i < k do scan (+) 1 (map2 (+) u (reverse u))
  in a ++ u
