-- allocations: c 2, cuda 3, multicore 3
-- Of rows of which there is at most one, as is checked before, the first is stored: it is made in
-- its place. Where the check comes later, or which row it is is not known before, it is copied.
-- call: first [[1i64, 2i64], [3i64, 4i64]] 1i64
-- call: first [[1i64, 2i64], [3i64, 4i64]] 0i64
-- call: first [[1i64, 2i64], [3i64, 4i64]] 2i64
-- call: later [[1i64, 2i64], [3i64, 4i64]] 1i64
-- call: later [[1i64, 2i64], [3i64, 4i64]] 2i64
-- call: other [[1i64, 2i64], [3i64, 4i64]] 1i64 0i64
-- call: other [[1i64, 2i64], [3i64, 4i64]] 1i64 1i64
-- call: other [[1i64, 2i64], [3i64, 4i64]] 1i64 -1i64

def rows [n] (k: i64) (x: [n]i64) : *[k][n]i64 =
  tabulate k (\i -> #[sequential] scan (+) i x)

entry first [n] (xs: *[n][n]i64) (k: i64) : *[n][n]i64 =
  let few = assert (k <= 1) k
  let made = rows few xs[1]
  in xs with [1] = made[0]

entry later [n] (xs: *[n][n]i64) (k: i64) : *[n][n]i64 =
  let made = rows k xs[1]
  let row = made[0]
  in xs with [1] = assert (k <= 1) row

entry other [n] (xs: *[n][n]i64) (k: i64) (i: i64) : *[n][n]i64 =
  let few = assert (k <= 1) k
  let made = rows few xs[1]
  in xs with [1] = made[i]
