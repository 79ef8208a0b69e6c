-- Needleman-Wunsch's pattern: the blocks of an anti-diagonal of a matrix are computed from the
-- elements to their left and above.

def block [b] (left: [b + 1]i32) (above: [b]i32) : [b][b]i32 =
  tabulate_2d b b (\y x -> i32.max left[y] (left[y + 1] + above[x]))

-- The size of a block and of the matrix are given.
entry sizes [l] (n: i64) (b: i64) (start: *[l]i32) : *[l]i32 =
  let b = assert (b >= 1) b
  let n = assert (n >= 1) n
  let q = assert ((n - 1) % b == 0) ((n - 1) / b)
  let first =
    loop a = start for i < q do
      let k = i + 1
      let left = intrinsics.flat_index_2d a (i * b) k (n * b - b) (b + 1) n
      let above = intrinsics.flat_index_2d a (i * b + 1) k (n * b - b) b 1
      in intrinsics.flat_update_3d a (i * b + n + 1) (n * b - b) n 1 (map2 block left above)
  in loop a = first for j < q - 1 do
       let i = j + 1
       let k = q - i
       let o = (i * n + q - 1) * b
       let left = intrinsics.flat_index_2d a o k (n * b - b) (b + 1) n
       let above = intrinsics.flat_index_2d a (o + 1) k (n * b - b) b 1
       in intrinsics.flat_update_3d a (o + n + 1) (n * b - b) n 1 (map2 block left above)

-- The number of blocks and their size are given.
entry blocks [l] (q: i64) (b: i64) (start: *[l]i32) : *[l]i32 =
  let b = assert (b >= 1) b
  let n = q * b + 1
  in loop a = start for i < q do
       let k = i + 1
       let left = intrinsics.flat_index_2d a (i * b) k (n * b - b) (b + 1) n
       let above = intrinsics.flat_index_2d a (i * b + 1) k (n * b - b) b 1
       in intrinsics.flat_update_3d a (i * b + n + 1) (n * b - b) n 1 (map2 block left above)
