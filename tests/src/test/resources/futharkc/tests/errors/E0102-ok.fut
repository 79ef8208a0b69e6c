def main (x: i32): i32 =
  let y = x * x
  in y + 1
