-- The right-hand side of a `let` is a function, and consumes an array.
--
-- The function may be called several times, but an array can be consumed once.
--
-- Fix: consume the array in a binding of its own.

def set [n] (xs: *[n]i32) (i: i32): *[n]i32 = xs with [0] = i
def main [n] (xs: *[n]i32): *[n]i32 =
  let f = set (xs with [0] = 2)
  in f 3
