def repeat (f: i32 -> i32) (n: i32) (x: i32): i32 =
  if n == 0 then x else repeat f (n - 1) (f x)
