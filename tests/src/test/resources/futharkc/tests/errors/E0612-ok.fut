def set [n] (xs: *[n]i32) (i: i32): *[n]i32 = xs with [0] = i
def main [n] (xs: *[n]i32): *[n]i32 =
  let ys = xs with [0] = 2
  in set ys 3
