def main [n] (xs: *[n]i32) (ys: [n]i32): *[n]i32 =
  loop xs for i < n do
    let _ = xs with [i] = 1
    in copy ys
