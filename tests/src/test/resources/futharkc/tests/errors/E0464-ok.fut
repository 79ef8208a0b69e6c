def walk [n] (a: *[n]i64) (k: i64): *[n]i64 =
  if k <= 0 then a else walk (a with [k] = k) (k - 1)
