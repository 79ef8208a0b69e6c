-- A loop parameter has a size that only exists in the loop body.
--
-- Rows of an array have the same size in all iterations. The size of `filter (> i) xs` is only known inside of the body.
--
-- Fix: make the size independent of the loop body.

def main (n: i32) (xs: []i32) =
  loop rows = [] for i < n do rows ++ [filter (> i) xs]
