def main [n] (xs: [n]i32): [n]i32 = #[warn(safety_checks)] map (+ 1) xs
