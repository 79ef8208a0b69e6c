type^ table = (n: i64) -> [n]f32
