-- HotSpot's pattern: corners, edges and the inside of a matrix, one after the other.
entry main [n][m] (xs: [n][m]f32) : *[n][m]f32 =
  let ok = assert (n >= 2 && m >= 2) true
  let at y x = if ok then xs[y, x] * 2 else 0
  let a = replicate n (replicate m 0)
  let a[0, 0] = at 0 0
  let a[0, m - 1] = at 0 (m - 1)
  let a[n - 1, 0] = at (n - 1) 0
  let a[n - 1, m - 1] = at (n - 1) (m - 1)
  let a[0, 1:m - 1] = map (* 3) xs[0, 1:m - 1]
  let a[n - 1, 1:m - 1] = map (* 3) xs[n - 1, 1:m - 1]
  let a[1:n - 1, 0] = map (* 4) xs[1:n - 1, 0]
  let a[1:n - 1, m - 1] = map (* 4) xs[1:n - 1, m - 1]
  let a[1:n - 1, 1:m - 1] = map (map (* 5)) xs[1:n - 1, 1:m - 1]
  in a
