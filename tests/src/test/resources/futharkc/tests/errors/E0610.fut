-- A function differs from its declared type in what it consumes or what its result aliases.
--
-- The declared type promises that both components of the result are unique.
--
-- Fix: change the unique types (`*t`) of the function or of the declaration.

def both [n]: [n]i32 -> (*[n]i32, *[n]i32) =
  \(xs: [n]i32): (*[n]i32, [n]i32) -> (copy xs, xs)
