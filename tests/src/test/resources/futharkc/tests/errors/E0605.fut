-- A consumed argument aliases itself.
--
-- Two components of the argument are the same array, which would be consumed twice.
--
-- Fix: pass a copy in one component.

def first [n] (p: *([n]i32, [n]i32)): i32 = p.0[0] + p.1[0]
def main [n] (xs: *[n]i32): i32 = first (xs, xs)
