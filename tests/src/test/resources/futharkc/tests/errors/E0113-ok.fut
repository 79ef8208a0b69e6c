def (!!) (x: i32) (y: i32): bool = x != y
