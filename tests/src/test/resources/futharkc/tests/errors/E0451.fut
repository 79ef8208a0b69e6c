-- A pattern that may fail is used where no other case is possible.
--
-- Parameters, `let` and loops need patterns that match every value of their type.
--
-- Fix: use `match`.

type option = #none | #some i32

def main (o: option): i32 =
  let (#some x) = o
  in x
