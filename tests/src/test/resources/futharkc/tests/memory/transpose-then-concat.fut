-- allocations: c 2, cuda 1, multicore 1
-- call: main [[1,2,3],[4,5,6]] [[7,8]]
-- A transposition between creation and copy (B3).
def main [n] [m] (a: [n][m]i32) (b: [][n]i32) : [][n]i32 =
  transpose (map (scan (+) 0) a) ++ b
