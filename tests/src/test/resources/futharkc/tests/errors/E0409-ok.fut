type series [n] = {name: i32, values: [n]f64}
