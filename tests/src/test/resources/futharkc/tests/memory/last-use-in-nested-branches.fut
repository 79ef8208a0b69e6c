-- allocations: c 1, cuda 1, multicore 1
-- call: main true 1 [1,2,3]
-- call: main true 0 [1,2,3]
-- call: main false 0 [1,2,3]
-- Each branch is the last to use the array, in nested ones, too (B2, figure 9.7).
def main [n] (c: bool) (k: i32) (a: [n]i32) : []i32 =
  let x = #[opaque] (map (+ 1) a)
  in if c
     then if k > 0 then map (* x[0]) a else map (\y -> y * k + 3) x
     else map (+ 3) x
