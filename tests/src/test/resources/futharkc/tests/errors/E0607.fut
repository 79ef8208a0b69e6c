-- A functional argument consumes an array.
--
-- The call may evaluate the argument any number of times, but an array can be consumed once.
--
-- Fix: consume the array before the call.

def apply (f: i32 -> i32) (x: i32): i32 = f x
def set [n] (xs: *[n]i32) (i: i32): i32 = (xs with [0] = i)[0]
def main [n] (xs: *[n]i32): i32 = apply (set xs) 3
