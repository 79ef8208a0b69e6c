-- A `let` binds a size that no value has.
--
-- `let [n] (pattern) = ..` binds `n` to the size of an array in the pattern. The pattern only mentions `n` in a function type.
--
-- Fix: use the size in the type of an array.

def main (f: [3]i32 -> i32): i32 =
  let [n] (g: [n]i32 -> i32) = f
  in g (replicate n 0)
