-- allocations: c 0, cuda 0, multicore 0
-- allocations:
-- call: main [[1,2,3],[4,5,6]]
-- call: main [[1,2],[3,4]]
-- call: three [[[1,2],[3,4]],[[5,6],[7,8]]] [[[1,2],[3,4]],[[5,6],[7,8]]]
-- Maps in maps over the caller's arrays: nothing is allocated (figure 9.8).
entry main [n][m] (xss: *[n][m]i32) : *[n][m]i32 =
  map (\xs -> map (\x -> x * 2 + 1) xs) xss
-- In three dimensions, with another operand.
entry three [n][m][k] (xss: *[n][m][k]i32) (yss: [n][m][k]i32) : *[n][m][k]i32 =
  map2 (map2 (map2 (\x y -> x * 2 + y))) xss yss
