-- An index has one pair of brackets per dimension.
--
-- `a[i] [j]` applies `a[i]` to the array `[j]`.
--
-- Fix: write all indexes in one pair of brackets: `a[i, j]`.

def main [n] (a: [n][n]f64) (i: i64): f64 = a[i] [i]
