-- The size of what a function is applied to is found from what it returns.
type shape = #none | #pair ([2]i64)

def times 't (k: i64) (f: t -> t) (x: t) : t = loop y = x for _i < k do f y

entry sums (k: i64) : shape =
  times (k % 3) (\v -> loop _acc = v for i < 3 do #pair [i, k]) (#none : shape)

entry arrays (k: i64) : [3]i64 =
  times (k % 3) (\v -> loop a = v for i < 3 do [a[2], a[0] + i, a[1]]) [1, k, 2]
