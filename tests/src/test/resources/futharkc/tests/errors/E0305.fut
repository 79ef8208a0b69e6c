-- The operators `&&` and `||` cannot be redefined.
--
-- Both evaluate their second operand only if necessary, which no function can do.
--
-- Fix: choose another operator.

def (&&) (x: i32) (y: i32): i32 = x & y
