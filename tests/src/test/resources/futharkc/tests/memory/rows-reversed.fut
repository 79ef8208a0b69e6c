-- allocations: c 2, cuda 2, multicore 2
-- call: main [[1, 2, 3], [4, 5, 6]]
-- Each row stays where it is, but not its elements.
def main [n] [m] (a: [n][m]i32) : [][]i32 =
  let x = map (scan (+) 0) a
  in map (\i -> map (\j -> x[i, m - 1 - j] * i32.i64 (i + j + 1)) (iota m)) (iota n)
