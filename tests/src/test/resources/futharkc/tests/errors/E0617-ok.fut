def table: [3]i32 = [1, 2, 3]
