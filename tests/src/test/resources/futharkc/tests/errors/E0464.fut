-- A recursive function has an accumulator.
--
-- The compiler cannot turn recursion with accumulators into parallel code.
--
-- Fix: return the values to be written, or use a loop.

type~ acc 't = intrinsics.acc t

def walk [n] (a: *acc ([n]i64)) (k: i64): *acc ([n]i64) =
  if k <= 0 then a else walk (intrinsics.acc_write a k k) (k - 1)
