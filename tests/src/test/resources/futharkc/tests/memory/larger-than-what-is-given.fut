-- allocations: c 3, cuda 6, multicore 3
-- call: main 3i64 2i64 [5i64, 1i64, 4i64]
-- call: main 0i64 1i64 [5i64]
-- In an iteration, the block of the last one is free, but not for what is larger.
def main [n] (k: i64) (m: i64) (a: [n]i64) : [n]i64 =
  map (\x ->
         #[sequential]
         let u = loop u = replicate m x for i < k do
           let s = u[m - 1]
           let v = scan (+) 0 (replicate (2 * m + i) s)
           let t = v[m] % 1000
           in scan (+) 0 (map (+ t) (iota m))
         in u[m - 1])
      a
