def main (x: i32): i32 =
  let y = x + 1
  in y * 2
