-- allocations: c 4, cuda 6, multicore 4
-- call: main 3i64 2i64 [5i64, 1i64, 4i64]
-- call: main 0i64 1i64 [5i64]
-- What a loop leaves is not allocated here, so it has no room for more.
def main [n] (k: i64) (m: i64) (a: [n]i64) : [n]i64 =
  map (\x ->
         #[sequential]
         let u = loop u = replicate m x for i < k do map (+ i) (reverse u)
         let s = u[0]
         let v = loop v = replicate (m + 3) s for i < m do v with [i + 1] = v[i] + (v[m - i] * 3) % 17
         in v[m])
      a
