def main (a: i32) (b: i32) (xs: []i32) = map ((a + b) *) xs
