entry apply (double: bool) (x: i32): i32 = if double then x * 2 else x + 1
