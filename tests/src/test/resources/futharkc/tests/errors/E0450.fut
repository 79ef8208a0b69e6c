-- A `match` does not cover all cases.
--
-- The message lists examples of values that no pattern matches.
--
-- Fix: add the missing cases, or a last case with `_`.

type colour = #red | #green | #blue

def code (c: colour): i32 =
  match c
  case #red -> 0
  case #green -> 1
