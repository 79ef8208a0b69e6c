def increase (x: i64) = x + 1
