def main (x: i32) (_y: i32): i32 = x + 1
