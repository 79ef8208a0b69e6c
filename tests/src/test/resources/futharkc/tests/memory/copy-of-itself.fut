-- allocations: c 0, cuda 1, multicore 1
-- Rows are copied and worked on where they are: what is read of a row lies in a triangle.
-- On a GPU threads that run side by side would not access neighbours there, so that one copy stays.
-- call: main [[1i64,2i64,3i64],[4i64,5i64,6i64],[7i64,8i64,9i64]]
def rows [n][m] (xs: [n][m]i64): *[n][m]i64 =
  map (\r -> loop r = copy r for i < m do
               let s = loop s = 0 for k < i do s + r[k]
               in r with [i] = r[i] - s)
      xs
entry main [n][m] (xs: *[n][m]i64): *[n][m]i64 =
  let ys = rows xs[1:]
  let xs[1:] = ys
  in xs
