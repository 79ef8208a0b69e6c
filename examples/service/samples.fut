-- | Statistics of samples, for a web service.

-- | The mean and the standard deviation.
entry summary [n] (xs: [n]f64) : (f64, f64) =
  let mean = f64.sum xs / f64.i64 n
  let variance = f64.sum (map (\x -> (x - mean) ** 2) xs) / f64.i64 n
  in (mean, f64.sqrt variance)

-- | The moving average over windows of `k` samples.
entry smooth [n] (k: i64) (xs: [n]f64) : []f64 =
  let sums = scan (+) 0 xs
  in tabulate (i64.max 0 (n - k + 1))
              (\i -> (sums[i + k - 1] - (if i == 0 then 0 else sums[i - 1])) / f64.i64 k)
