def main (xs: []i32): i64 =
  let [n] (ys: [n]i32) = xs
  in n + length ys
