-- allocations: c 3, cuda 3, multicore 3
-- call: main [1,2,3]
-- Figure 9.6 of the thesis as it is printed: three arrays are needed at once.
def reversed [n] (k: i32) (xs: [n]i32) : [n]i32 = map (\i -> xs[n - i - 1] + k) (iota n)
def reversed2 [n] (k: i32) (xs: [n]i32) (ys: [n]i32) : [n]i32 = map (\i -> xs[n - i - 1] + ys[n - i - 1] + k) (iota n)
def main [n] (xs: [n]i32) : [n]i32 =
  let xs0 = #[opaque] (map (+ 1) xs)
  let xs1 = #[opaque] (map (+ xs0[0]) xs)
  let xs2 = #[opaque] (reversed xs1[0] xs1)
  in reversed2 xs2[0] xs0 xs2
