def main (n: i64): []i64 =
  let m = n + 1
  in iota (m * m)
