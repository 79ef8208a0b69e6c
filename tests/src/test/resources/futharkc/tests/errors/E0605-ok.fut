def first [n] (p: *([n]i32, [n]i32)): i32 = p.0[0] + p.1[0]
def main [n] (xs: *[n]i32): i32 = first (copy xs, xs)
