-- A function whose result may have aliases is used as one with a unique result.
--
-- The caller may consume the result, and would thereby consume the argument.
--
-- Fix: let the function return a copy and declare its result unique.

def update [n] (f: [n]i32 -> *[n]i32) (xs: [n]i32): *[n]i32 = f xs with [0] = 1
def same [n] (xs: [n]i32): [n]i32 = xs
def main [n] (xs: [n]i32): *[n]i32 = update same xs
