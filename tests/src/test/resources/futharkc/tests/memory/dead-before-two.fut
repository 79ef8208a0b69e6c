-- allocations: c 3, cuda 3, multicore 3
-- call: main [1,2,3]
-- One of two arrays that are made at once takes the room of one that died before: the other is still needed then.
def main [n] (xs: [n]i32) : ([n]i32, [n]i32) =
  let a = #[opaque] (map (+ 1) xs)
  let b = #[opaque] (map (\i -> a[n - i - 1] * 2) (iota n))
  in unzip (map (\i -> (b[n - i - 1], b[(i + 1) % n])) (iota n))
