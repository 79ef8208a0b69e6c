-- The prefix operator `!` is defined as an infix operator.
--
-- `!` takes one operand and is built in. It cannot be bound by a definition.
--
-- Fix: choose another name or operator.

def (!) (x: i32) (y: i32): bool = x != y
