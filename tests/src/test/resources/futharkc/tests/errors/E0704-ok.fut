module numbers = i32
