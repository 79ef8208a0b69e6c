-- allocations: c 2, cuda 2, multicore 2
-- allocations:
-- call: main [1,2,3]
-- Both are read at once (figure 5.17).
def main [n] (a: [n]i32) : []i32 =
  let x = #[opaque] (scan (+) 0 a)
  let y = #[opaque] (map (\i -> x[n-1-i] + 1) (iota n))
  in map2 (\p i -> p * x[i] + y[n - 1 - i]) x (iota n)
