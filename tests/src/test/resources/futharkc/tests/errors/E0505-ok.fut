def square (m: i64): i64 = m * m
def main (n: i64): [square (n + 1)]i64 = iota (square (n + 1))
