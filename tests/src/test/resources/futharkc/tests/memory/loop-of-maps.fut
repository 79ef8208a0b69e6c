-- allocations: c 1, cuda 1, multicore 1
-- allocations:
-- call: main 2i64 [1,2,3]
-- call: main 0i64 [1,2,3]
-- Each iteration makes the next array over the last one (figure 9.5).
def main [n] (k: i64) (a: [n]i32) : ([n]i32, i32) =
  let t = #[opaque] (scan (+) 0 a)
  in loop (u, s) = (t, 0) for i < k do
    let v = map (\x -> 2 * x + i32.i64 i) u
    in (v, s + v[0])
