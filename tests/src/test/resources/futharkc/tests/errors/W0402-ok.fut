def main (n: i64): []i64 = 0..2..<n
