-- What can go wrong on a device, and what works: see run.sh faults.

entry good (n: i64): i64 = i64.sum (map (\i -> i * i) (iota n))

entry index (xs: []i64) (is: []i64): []i64 = map (\i -> xs[i]) is

entry memory (n: i64): []f64 = map f64.i64 (iota n) |> scan (+) 0

entry stray (xs: *[]i64) (is: []i64): []i64 =
  let ys = map (\i -> #[unsafe] xs[i]) is
  in map2 (+) ys is

entry long (n: i64): i64 =
  loop s = 0 for i < n do s + i64.sum (map (\j -> (i * j) % 7) (iota 1000000))
