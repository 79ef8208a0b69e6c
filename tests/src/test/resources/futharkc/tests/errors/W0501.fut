-- A size expression binds names, and is replaced by an unknown size.
--
-- The size of an array, such as that of `iota (let m = n in m * m)`, can only be named if it is an expression without binders.
--
-- Fix: bind the size before.

def main (n: i64): []i64 = iota (let m = n + 1 in m * m)
