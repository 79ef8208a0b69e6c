-- One argument of a call is consumed, and another argument aliases it.
--
-- The function would read an array that it overwrites.
--
-- Fix: pass a copy.

def add_to [n] (xs: *[n]i32) (ys: [n]i32): *[n]i32 = xs with [0] = ys[0] + 1
def main [n] (xs: *[n]i32): *[n]i32 = add_to xs xs
