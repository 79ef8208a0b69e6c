def fresh [n] (xs: [n]i32): *[n]i32 = copy xs
