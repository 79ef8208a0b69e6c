-- A size depends on a name that is not in scope there.
--
-- A type outside of a function or loop would mention a size that only exists inside.
--
-- Fix: bring the size into scope earlier, or hide it with `[]`.

def pairs (f: i64 -> i64) xs =
  let g = \(n: i64) -> zip xs (iota n)
  in length (g (f 3))
