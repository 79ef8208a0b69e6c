-- | Moments of a column, folded over the partitions of a file of any size.

type moments = {count: i64, mean: f64, squares: f64, least: f64, largest: f64}

entry none : moments =
  {count = 0, mean = 0, squares = 0, least = f64.inf, largest = -f64.inf}

-- | The moments of some rows; `squares` is the sum of squared deviations.
entry part [n] (xs: [n]f64) : moments =
  let mean = f64.sum xs / f64.i64 (i64.max 1 n)
  in { count = n
     , mean
     , squares = f64.sum (map (\x -> (x - mean) ** 2) xs)
     , least = f64.minimum xs
     , largest = f64.maximum xs
     }

-- | The moments of both, by the formula of Chan, Golub and LeVeque.
entry join (x: moments) (y: moments) : moments =
  let count = x.count + y.count
  let (n, m) = (f64.i64 x.count, f64.i64 y.count)
  let all = f64.i64 (i64.max 1 count)
  let delta = y.mean - x.mean
  in { count
     , mean = x.mean + delta * m / all
     , squares = x.squares + y.squares + delta * delta * n * m / all
     , least = f64.min x.least y.least
     , largest = f64.max x.largest y.largest
     }
