def main (x: f64): f64 = #[stripmine(2)] loop y = x for _i < 9i32 do y * x
