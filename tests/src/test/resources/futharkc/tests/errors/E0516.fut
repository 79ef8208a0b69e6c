-- A size is needed before the expression that computes it.
--
-- The operands of `++` are evaluated from left to right. The rows of the empty array have the size of `filter (> 0) xs`, which is computed later.
--
-- Fix: bind the expression that computes the size with `let` before.

def main (xs: []i32) = [] ++ [filter (> 0) xs]
