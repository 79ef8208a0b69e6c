def update [n] (f: [n]i32 -> *[n]i32) (xs: [n]i32): *[n]i32 = f xs with [0] = 1
def same [n] (xs: [n]i32): *[n]i32 = copy xs
def main [n] (xs: [n]i32): *[n]i32 = update same xs
