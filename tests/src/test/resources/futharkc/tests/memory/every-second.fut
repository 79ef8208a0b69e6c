-- allocations: c 2, cuda 2, multicore 2
-- call: main [[1, 2, 3, 4], [4, 5, 6, 7], [7, 8, 9, 0]]
-- call: main [[1], [2]]
-- What a row reads begins where the row does, but goes on in the next one.
def main [n] [m] (a: [n][m]i32) : [][]i32 =
  let x = scan (+) 0 (flatten a)
  in map (\i ->
       let s = if i < n - 1 then loop s = 0 for t < m - 1 do s * 2 + x[i * m + 2 * t] else 0
       in map (\j -> s + i32.i64 j) (iota m)) (iota n)
