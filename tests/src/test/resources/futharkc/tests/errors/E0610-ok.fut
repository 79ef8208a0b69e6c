def both [n]: [n]i32 -> (*[n]i32, *[n]i32) =
  \(xs: [n]i32): (*[n]i32, *[n]i32) -> (copy xs, copy xs)
