-- A size is ambiguous.
--
-- A size occurs in the type of a function value only, and nothing determines it.
--
-- Fix: annotate the type with a known size.

def main (x: i32): i32 =
  let f = \(xs: []i32) -> x
  in x
