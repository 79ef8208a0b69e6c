-- A size expression binds names, and is replaced by an unknown size.
--
-- The type of `iota e` has the size `e` only if `e` is an expression without binders.
--
-- Fix: bind the size before.

def main (n: i64): []i64 = iota (let m = n + 1 in m * m)
