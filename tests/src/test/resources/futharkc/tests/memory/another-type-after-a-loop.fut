-- allocations: c 4, cuda 6, multicore 4
-- allocations:
-- call: main 2i64 [1,2,3]
-- What a loop leaves is of another type than the array that died before it.
def main [n] (k: i64) (a: [n]i32) : (i64, [n]i32) =
  let x = #[opaque] (scan (+) 0 a)
  let s = #[opaque] (i32.sum (map2 (*) x (reverse x)))
  let y = #[opaque] (scan (+) 0 (map i64.i32 a))
  let y = loop y for _i < k do map2 (+) y (reverse y)
  let t = #[opaque] (i64.sum (map2 (*) y (reverse y)))
  in (t, scan (+) (s + i32.i64 t) a)
