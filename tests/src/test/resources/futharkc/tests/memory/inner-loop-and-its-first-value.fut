-- allocations: c 4, cuda 4, multicore 4
-- call: main 2i64 3i64 [1,2,3]
-- call: main 3i64 0i64 [1,2,3]
-- What the inner loop starts with is passed on beside what it ends with.
def main [n] (k: i64) (m: i64) (a: *[n]i32) : [n]i32 =
  let b = scan (+) 0 a
  let (x, z) = loop (x, z) = (a, b) for i < k do
    let y = loop y = x for j < m do map3 (\p q r -> p + 2 * q - r + i32.i64 (i + j)) y (reverse y) z
    in (y, x)
  in map2 (+) x (reverse z)
