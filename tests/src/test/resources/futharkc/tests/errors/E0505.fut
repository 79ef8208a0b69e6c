-- A size expression binds names.
--
-- A size in a type may be an expression, without `let`, lambdas and other binders.
--
-- Fix: bind the name before the type, or call a function.

def main (n: i64): [let m = n + 1 in m * m]i64 = iota ((n + 1) * (n + 1))
