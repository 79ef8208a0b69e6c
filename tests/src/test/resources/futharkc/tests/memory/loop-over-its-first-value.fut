-- allocations: c 3, cuda 3, multicore 3
-- call: main 3i64 [1, 2, 3]
-- call: main 0i64 [1, 2]
-- Each iteration starts from the first value again.
def main [n] (k: i64) (a: [n]i32) : []i32 =
  let first = scan (+) 0 a
  let (last, _) = loop (_x, s) = (first, 0) for i < k do
    let y = map (\e -> e * 2 + s) first
    in (y, s + 1 + i32.i64 i)
  in last ++ [7]
