def main [n] (xs: *[n]i32): i32 =
  let first = xs[0]
  let ys = xs with [0] = 1
  in ys[0] + first
