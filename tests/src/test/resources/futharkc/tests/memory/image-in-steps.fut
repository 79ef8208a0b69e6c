-- allocations: c 3, cuda 3, multicore 3
-- allocations:
-- call: main [[1,2,3],[4,5,6],[7,8,9]] 4
-- Arrays live as in canny (B1): nine blocks, or the caller's image, two of its size, and the result.
def smooth [h][w] (f: i32 -> i32 -> i32) (a: [h][w]i32) : [h][w]i32 =
  tabulate_2d h w (\i j -> f a[i, j] a[h - 1 - i, (j + 1) % w])
def main [h][w] (m0: *[h][w]i32) (low: i32) : []i32 =
  let m1 = #[opaque] (smooth (\x y -> x + 2 * y) m0)
  let m2 = #[opaque] (smooth (\x y -> 2 * x + y) m1)
  let m3 = #[opaque] (smooth (\x y -> 3 * x - y) m2)
  let (m4, m5) = #[opaque] (unzip (map unzip (tabulate_2d h w (\i j -> (m3[i, j] - m3[i, (j + 1) % w], m3[h - 1 - i, j] * m3[i, j])))))
  let m6 = #[opaque] (tabulate_2d h w (\i j -> if m4[i, (j + 1) % w] > low then m5[h - 1 - i, j] else m4[i, j]))
  let flags = #[opaque] (map (\x -> i32.bool (x > low)) (flatten m6))
  let at = #[opaque] (scan (+) 0 flags)
  let n = i64.i32 at[h * w - 1]
  in scatter (replicate n 0) (map2 (\f a -> if f == 1 then i64.i32 a - 1 else -1) flags at) (map i32.i64 (iota (h * w)))
