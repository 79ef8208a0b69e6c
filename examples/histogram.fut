-- A histogram and its cumulative form: a generalised reduction and a scan.
--
-- ==
-- entry: histogram
-- input @ histogram.in
-- output { [2i64, 1i64, 3i64, 0i64] }

-- ==
-- entry: cumulative
-- input @ histogram.in
-- output { [2i64, 3i64, 6i64, 6i64] }

-- How often each of the values 0 to `bins - 1` occurs; other values are ignored.
entry histogram [n] (bins: i64) (values: [n]i32): [bins]i64 =
  reduce_by_index (replicate bins 0) (+) 0 (map i64.i32 values) (replicate n 1)

-- How many values are at most as large as each bin's.
entry cumulative [n] (bins: i64) (values: [n]i32): [bins]i64 =
  scan (+) 0 (histogram bins values)
