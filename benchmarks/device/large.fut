-- Operations on arrays of more than 2^31 elements. large.py calls them and keeps the arrays on the device.
entry made (n: i64): []i8 = map (\i -> i8.i64 (i % 3)) (iota n)
entry total (xs: []i8): i64 = reduce (+) 0 (map i64.i8 xs)
entry sums (xs: []i8): []i8 = scan (+) 0 xs
entry at (xs: []i8) (is: []i64): []i8 = map (\i -> xs[i]) is
entry changed [n] (xs: *[n]i8) (i: i64): *[]i8 = scatter xs [i, n - 1] [100, 101]
entry transposed [n] (xs: [n]i8) (m: i64): []i8 =
  flatten (transpose (unflatten (xs :> [m * 1000]i8)))
