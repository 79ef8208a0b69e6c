def both [n] (xs: *[n]i32): (*[n]i32, *[n]i32) = (copy xs, xs)
