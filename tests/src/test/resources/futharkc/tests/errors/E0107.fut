-- The operand of an operator section is ambiguous.
--
-- In a section such as `(a + b *)` the operator `*` binds tighter than `+`. The left operand is therefore not `a + b`.
--
-- Fix: put parentheses around the operand.

def main (a: i32) (b: i32) (xs: []i32) = map (a + b *) xs
