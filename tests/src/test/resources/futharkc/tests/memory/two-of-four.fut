-- allocations: c 2, cuda 2, multicore 2
-- call: main [1,2,3]
-- Figure 9.6 of the thesis with the interferences that it says: the first and third array in one block, the others in another.
def reversed [n] (k: i32) (xs: [n]i32) : [n]i32 = map (\i -> xs[n - i - 1] + k) (iota n)
def main [n] (xs: [n]i32) : [n]i32 =
  let xs0 = #[opaque] (map (+ 1) xs)
  let xs1 = #[opaque] (reversed 1 xs0)
  let xs2 = #[opaque] (reversed 2 xs1)
  in reversed 3 xs2
