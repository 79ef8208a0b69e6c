-- allocations: c 1, cuda 2, multicore 1
-- call: main [[3,1,2],[6,5,4]]
-- Made in the rows of the result, not beside them (B7); on a GPU in columns first, where threads access neighbours.
def main [n] [m] (a: [n][m]i32) : [n][m]i32 =
  map (\r -> let s = scan (+) 0 r in loop s for i < m - 1 do s with [i + 1] = s[i] + s[i + 1]) a
