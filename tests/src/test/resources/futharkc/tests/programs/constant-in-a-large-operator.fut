-- The operator of a scan, a product of matrices, is large enough for a function of its own in
-- kernels, and its modulus is a constant that the program computes.
-- ==
-- input { [1i64, 2i64, 3i64, 4i64, 5i64, 6i64] }
-- output { [[3i64, 2i64], [11i64, 8i64], [59i64, 44i64], [8i64, 96i64], [24i64, 86i64], [11i64, 77i64]] }

def modulus: i64 = 89 + i64.sum (scan (+) 0 (map (\i -> (i * 5) % 3) (iota 4)))

type matrix = (i64, i64, i64, i64, i64, i64, i64, i64, i64)

def product (a: matrix) (b: matrix): matrix =
  let (a0, a1, a2, a3, a4, a5, a6, a7, a8) = a
  let (b0, b1, b2, b3, b4, b5, b6, b7, b8) = b
  let entry_of (x: i64) (y: i64) (z: i64) (u: i64) (v: i64) (w: i64) =
    (x * u % modulus + y * v % modulus + z * w) % modulus
  in ( entry_of a0 a1 a2 b0 b3 b6, entry_of a0 a1 a2 b1 b4 b7, entry_of a0 a1 a2 b2 b5 b8
     , entry_of a3 a4 a5 b0 b3 b6, entry_of a3 a4 a5 b1 b4 b7, entry_of a3 a4 a5 b2 b5 b8
     , entry_of a6 a7 a8 b0 b3 b6, entry_of a6 a7 a8 b1 b4 b7, entry_of a6 a7 a8 b2 b5 b8
     )

def main (xs: []i64) =
  map (\x -> (x, x + 1, 1, 0, x, 2, 1, 1, x)) xs
  |> scan product (1, 0, 0, 0, 1, 0, 0, 0, 1)
  |> map (\(a, b, _, _, _, _, c, _, d) -> [(a + b) % modulus, (c + d) % modulus])
