-- Functions that hold an argument which they consume, and are called several times.
-- ==
-- entry: histograms
-- input { 3i64 [[0i64, 1i64, 1i64], [2i64, 2i64, 2i64]] [[1, 2, 3], [4, 5, 6]] }
-- output { [[1, 5, 0], [0, 0, 15]] }
entry histograms [n][m] (k: i64) (is: [n][m]i64) (vs: [n][m]i32) : [n][k]i32 =
  map2 (reduce_by_index (replicate k 0) (+) 0) is vs

def set [n] (xs: *[n]i32) (i: i64) (v: i32) : *[n]i32 = xs with [i] = v

-- ==
-- entry: updates
-- input { [0i64, 2i64] } output { [[7, 0, 0], [0, 0, 7]] }
entry updates (is: []i64) : [][3]i32 =
  let f = set (replicate 3 0)
  in map (\i -> f i 7) is
