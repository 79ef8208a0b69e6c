-- LU decomposition's pattern: a diagonal block of a matrix of m*m blocks, the blocks to its right,
-- those below, and those inside.
entry main [l] (m: i64) (b: i64) (start: *[l]f32) : *[l]f32 =
  let b = assert (b >= 1) b
  let n = m * b
  in loop a = start for s < m do
       let r = m - s - 1
       let diagonal = intrinsics.flat_index_2d a (s * b * (n + 1)) b n b 1
       let top = intrinsics.flat_index_3d a (s * b * n + (s + 1) * b) r b b n b 1
       let left = intrinsics.flat_index_3d a ((s + 1) * b * n + s * b) r (b * n) b n b 1
       let inside = intrinsics.flat_index_4d a ((s + 1) * b * (n + 1)) r (b * n) r b b n b 1
       let d = map (map (+ 1)) diagonal
       let t = map (map2 (map2 (*)) d) top
       let u = map (map2 (map2 (-)) d) left
       let i =
         map2 (\x xs -> map2 (\y ys -> map3 (map3 (\p q z -> z - p * q)) x y ys) t xs) u inside
       let a = intrinsics.flat_update_2d a (s * b * (n + 1)) n 1 d
       let a = intrinsics.flat_update_3d a (s * b * n + (s + 1) * b) b n 1 t
       let a = intrinsics.flat_update_3d a ((s + 1) * b * n + s * b) (b * n) n 1 u
       in intrinsics.flat_update_4d a ((s + 1) * b * (n + 1)) (b * n) b n 1 i
