-- allocations: c 2, cuda 3, multicore 2
-- allocations:
-- call: main [1,2,3]
-- Two arrays die at once, the third takes the room of one (figure 5.27).
def main [n] (a: [n]i32) : []i32 =
  let xs = #[opaque] (scan (+) 0 a)
  let ys = #[opaque] (map (\i -> xs[n-1-i]) (iota n))
  let s = i32.sum (map2 (\x i -> x * ys[i]) xs (iota n))
  in scan (+) s (map (\i -> a[i] + s) (iota n))
