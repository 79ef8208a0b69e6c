-- A size that varies in a loop would be the size of an array outside of the loop.
--
-- The size of the loop parameter differs from iteration to iteration. The call in the body relates the size of `ys` to it, although `ys` keeps its size.
--
-- Fix: write the sizes of all parameters down, and use arrays that the loop body makes.

def double [n] (_: [n]i32) (ys: [2 * n]i32): [2 * n]i32 = ys

def main [n] (xs: [n]i32) (ys: []i32) =
  loop zs = xs for _i < 3i32 do double zs ys
