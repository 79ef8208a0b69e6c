-- allocations: c 2, cuda 3, multicore 2
-- allocations:
-- call: main 2i64 [1,2,3]
-- What the loop starts with is free from its last use to the end of the iteration (figure 6.4).
def main [n] (k: i64) (a: [n]i32) : ([n]i32, i32) =
  let xs0 = #[opaque] (scan (+) 0 a)
  in loop (xs, s) = (xs0, 0) for i < k do
    let t = #[opaque] (i32.sum (map2 (*) xs (reverse xs)))
    let ts = #[opaque] (scan (+) t (map (\j -> i32.i64 (j * i)) (iota n)))
    let ys = map (\j -> ts[n - 1 - j] + t) (iota n)
    in (ys, s + t)
