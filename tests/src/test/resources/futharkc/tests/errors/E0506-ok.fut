def main (xs: []i32): i64 = length (filter (> 0) xs)
