def main (xs: [16]f32): [4][4]f32 =
  intrinsics.flat_index_2d xs 0 4 4 4 1
