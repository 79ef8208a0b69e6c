-- allocations: c 14, cuda 14, multicore 14
-- call: main 2i64 3i64 [1,2,3]
-- call: main 0i64 2i64 [1,2,3]
-- call: twice 2i64 3i64 [1,2,3]
-- call: twice 2i64 0i64 [1,2,3]
-- call: before 2i64 3i64 [1,2,3]
-- call: before 1i64 3i64 [1,2,3]
-- What the first loop ends with is read after the second, which starts with it.
def main [n] (k: i64) (m: i64) (a: *[n]i32) : [n]i32 =
  let x = loop x = a for i < k do map2 (\p q -> p + 2 * q + i32.i64 i) x (reverse x)
  let y = loop y = x for i < m do map2 (\p q -> p - 3 * q + i32.i64 i) y (reverse y)
  in map2 (+) y (reverse x)
-- The first loop gives one array twice.
entry twice [n] (k: i64) (m: i64) (a: *[n]i32) : [n]i32 =
  let b = scan (+) 0 a
  let (x, z) = loop (x, z) = (a, b) for i < k do
    let y = map3 (\p q r -> p + 2 * q + r + i32.i64 i) x (reverse x) z
    in (y, y)
  let y = loop y = x for i < m do map2 (\p q -> p - 3 * q + i32.i64 i) y (reverse y)
  in map2 (+) y (reverse z)
-- And here the one before, too.
entry before [n] (k: i64) (m: i64) (a: *[n]i32) : [n]i32 =
  let b = scan (+) 0 a
  let (x, z) = loop (x, z) = (a, b) for i < k do
    let y = map3 (\p q r -> p + 2 * q + r + i32.i64 i) x (reverse x) z
    in (y, x)
  let y = loop y = x for i < m do map2 (\p q -> p - 3 * q + i32.i64 i) y (reverse y)
  in map2 (+) y (reverse z)
