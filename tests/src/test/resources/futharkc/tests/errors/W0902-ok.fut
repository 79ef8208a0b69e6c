def main (_n: i32): i32 = #[unroll] loop x = 1i32 for _i < 4i32 do x * 3
