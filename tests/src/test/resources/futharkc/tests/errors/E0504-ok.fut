def pairs (f: i64 -> i64) (xs: []i64) =
  let g = \(n: i64) -> zip (take n xs) (iota n)
  in length (g (f 3))
