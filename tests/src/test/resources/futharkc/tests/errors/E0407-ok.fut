def main (b: bool) (x: i32): i32 =
  if b then x + 1 else x * 2
