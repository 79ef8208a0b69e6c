def sum_after [n] (xs: [n]i32) =
  let ys = filter (> 0i32) [1, 2, 3] :> [n]i32
  in i32.sum (map2 (+) xs ys)
