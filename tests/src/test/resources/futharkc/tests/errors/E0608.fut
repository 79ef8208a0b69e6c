-- A consuming function is used as one that does not consume.
--
-- The function has a parameter of unique type `*t`. Its caller expects that arguments are still usable afterwards.
--
-- Fix: take a copy in the function, or make the parameter type of the expected function unique.

def sum_of [n] (f: [n]i32 -> [n]i32) (xs: [n]i32): i32 = i32.sum (f xs) + xs[0]
def set [n] (xs: *[n]i32): [n]i32 = xs with [0] = 1
def main [n] (xs: [n]i32): i32 = sum_of set xs
