-- The program uses something that this compiler cannot compile.
--
-- The checker accepts the program, but lowering has no code for a construct. The message names the construct.
--
-- Fix: replace the construct.

def main (xs: [16][2]f32): [4][4][2]f32 =
  intrinsics.flat_index_2d xs 0 4 4 4 1
