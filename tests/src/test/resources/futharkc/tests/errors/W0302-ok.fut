def size [n] (xs: [n]i32) (extra: i64): i64 = length xs + extra
