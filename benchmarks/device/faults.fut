-- Programs that provoke faults on a device, and one that works: see run.sh faults.

entry good (n: i64): i64 = i64.sum (map (\i -> i * i) (iota n))

entry index (xs: []i64) (is: []i64): []i64 = map (\i -> xs[i]) is

-- Three arrays that fit individually, but not together, on devices of up to 200 GB.
entry memory (n: i64): ([n]f64, [n]f64, [n]f64) =
  let xs = map f64.i64 (iota n)
  in (scan (+) 0 xs, scan f64.max 0 xs, scan f64.min 0 xs)

entry stray (xs: *[]i64) (is: []i64): []i64 =
  let ys = map (\i -> #[unsafe] xs[i]) is
  in map2 (+) ys is

entry long (n: i64): i64 =
  loop s = 0 for i < n do s + i64.sum (map (\j -> (i * j) % 7) (iota 1000000))
