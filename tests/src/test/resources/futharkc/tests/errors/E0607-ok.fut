def apply (f: i32 -> i32) (x: i32): i32 = f x
def set [n] (xs: *[n]i32) (i: i32): *[n]i32 = xs with [0] = i
def main [n] (xs: *[n]i32): i32 =
  let ys = set xs 3
  in apply (\i -> ys[0] + i) 3
