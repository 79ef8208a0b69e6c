-- Sizes have no derivatives; where a range begins, and its step, do.
-- ==
-- input { 2i64 3i64 } output { 6i64 4i64 30i64 }
def main (a: i64) (s: i64) =
  let f (b, c) = i64.sum (b..(b + c)...(b + 3 * c))
  let (da, ds) = vjp f (a, s) 1
  in (ds, da, jvp (\b -> i64.sum (map (* b) (replicate 10 3))) a 1)
