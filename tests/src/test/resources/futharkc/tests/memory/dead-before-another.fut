-- allocations: c 1, cuda 2, multicore 1
-- allocations:
-- call: main [1,2,3]
-- The second array takes the room of the first, which nobody needs any more (figure 5.10).
def main [n] (a: [n]i32) : []i32 =
  let xs = #[opaque] (scan (+) 0 a)
  let s = i32.sum (map2 (*) xs (reverse xs))
  in scan (+) s (map (+ s) a)
