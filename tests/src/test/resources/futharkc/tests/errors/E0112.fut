-- A tuple has one component.
--
-- There are no tuples of one component. Parentheses around one expression, pattern or type only group.
--
-- Fix: remove the comma, or add a component.

def main (x: i32) = (x,)
