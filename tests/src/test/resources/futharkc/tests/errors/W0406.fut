-- The program has a hole.
--
-- `???` stands for an expression that is not written yet. The program fails when it evaluates the hole.
--
-- Fix: write the expression.

def main (x: i32): i32 = if x > 0 then x else ???
