def first [n] 't (xs: [n]t): t = xs[0]
entry first_i32 [n] (xs: [n]i32): i32 = first xs
