def main (x: i32): i32 =
  let f = \(xs: [3]i32) -> xs[0] + x
  in f [1, 2, 3]
