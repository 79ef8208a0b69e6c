-- The rows of a transposed array, whose length is a product, are split again. Once the array has the layout that the split reads,
-- its rows and their parts begin at the same place, expressed by the product and by its factors.
-- ==
-- input { [1i32, 2i32] }
-- output { [[[[1i32, 2i32, 3i32, 4i32], [5i32, 6i32, 7i32, 8i32]], [[0i32, 1i32, 2i32, 3i32], [4i32, 5i32, 6i32, 7i32]]], [[[2i32, 6i32, 12i32, 20i32], [30i32, 42i32, 56i32, 72i32]], [[0i32, 5i32, 12i32, 21i32], [32i32, 45i32, 60i32, 77i32]]]] }
entry main [n] (xs: [n]i32) : [n][2][n][4]i32 =
  tabulate (n * 4) (\i -> map (\(a, b) -> [a, b]) (scan (\(a, b) (c, d) -> (a * c, b * c + d)) (1, 0) (map (\x -> (x + i32.i64 i, x * i32.i64 i)) xs)))
  |> transpose
  |> map transpose
  |> map (map unflatten)
