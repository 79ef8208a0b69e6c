-- allocations: c 4, cuda 5, multicore 4
-- call: main 3i64 2i64 [5i64, 1i64, 4i64]
-- call: main 0i64 1i64 [5i64]
-- All threads start with one array, which none may write to.
def main [n] (k: i64) (m: i64) (a: [n]i64) : [m]i64 =
  let x = scan (+) 0 a
  in map (\j ->
         #[sequential]
         let u = loop u = x for i < k do map2 (\p q -> p + 2 * q + i + j) u (reverse u)
         in u[n - 1])
      (iota m)
