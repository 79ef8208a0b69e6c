-- allocations: c 5, cuda 5, multicore 4
-- call: main [[1, 2], [3, 4]] 2i64
-- call: main [[1, 2], [3, 4]] 0i64
-- Each iteration of the inner loop copies what the outer one has, which its first value is not put over.
def main [n] [m] (a: [n][m]i32) (k: i64) : [][]i32 =
  let x = loop x = transpose (map (scan (+) 0) a) for i < 2 do
    let s = i32.sum (flatten x)
    in loop _y = replicate m (replicate n s) for _j < k do copy x
  in transpose x
