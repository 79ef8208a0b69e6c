-- Compaction as a scatter: elements to be dropped have an index out of range.
-- ==
-- input { [true, true, false, true, false] [0, 1, 2, 3, 4] } output { [0, 1, 3] }
-- input { [false, false] [5, 6] } output { empty([0]i32) }
-- input { [true, true] [5, 6] } output { [5, 6] }
-- input { empty([0]bool) empty([0]i32) } output { empty([0]i32) }

entry main [n] (wanted: [n]bool) (xs: [n]i32) : []i32 =
  let ones = map i64.bool wanted
  let ranks = scan (+) 0 ones
  let size = if n == 0 then 0 else ranks[n - 1]
  let places = map2 (\one rank -> rank * one - 1) ones ranks
  in scatter (replicate size 0) places xs
