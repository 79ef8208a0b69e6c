def add_to [n] (xs: *[n]i32) (ys: [n]i32): *[n]i32 = xs with [0] = ys[0] + 1
def main [n] (xs: *[n]i32): *[n]i32 = add_to (copy xs) xs
