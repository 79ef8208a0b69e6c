def double [n] (xs: [n]i32): [2 * n]i32 = xs ++ xs :> [2 * n]i32

def main [n] (xs: [n]i32) =
  loop zs = xs for _i < 3i32 do double zs
