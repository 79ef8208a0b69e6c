def add (n: i32) (x: i32): i32 =
  if n == 0 then x else 1 + add (n - 1) x
