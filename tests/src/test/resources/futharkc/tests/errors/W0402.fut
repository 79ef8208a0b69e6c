-- The first and second element of a range are the same.
--
-- The step of the range is zero, and the range is empty.
--
-- Fix: change the second element.

def main (n: i64): []i64 = 0..0..<n
