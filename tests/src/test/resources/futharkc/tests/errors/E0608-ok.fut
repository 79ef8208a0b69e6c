def sum_of [n] (f: [n]i32 -> [n]i32) (xs: [n]i32): i32 = i32.sum (f xs) + xs[0]
def set [n] (xs: [n]i32): [n]i32 = copy xs with [0] = 1
def main [n] (xs: [n]i32): i32 = sum_of set xs
