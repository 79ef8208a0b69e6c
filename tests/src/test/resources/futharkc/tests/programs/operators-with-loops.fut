-- Operators of reductions and scans with loops that carry arrays: one branch makes a new array, another one maps or
-- concatenates.
-- ==
-- entry: branch
-- input { [3i64, 1i64, 2i64] } output { 6i64 }
-- input { [5000i64, 0i64, 2i64, 7i64] } output { 5009i64 }
entry branch [n] (is: [n]i64): i64 =
  let op (i: i64) (j: i64) =
    let t = loop a = [1, 2, 3] for k < 3 do
      if a[0] == i then [k, 0, 0] else map (+ j) a
    in if t[0] < -1000 then 0 else i + j
  in reduce op 0 is

-- ==
-- entry: sizes
-- input { [0u8, 1u8, 2u8, 3u8, 4u8, 5u8] [0i64, 1i64, 2i64] } output { 3i64 }
def shrink (a: []u8): i64 =
  length (loop a: []u8 = a while length a > 3 do
    if a[0] == 0 then [] else [0] ++ a[2:])
entry sizes [n] (s: []u8) (is: [n]i64) =
  reduce (\i j -> i + j + shrink s[i % 6:]) 0 is

-- ==
-- entry: scanned
-- input { [3i64, 1i64, 2i64, 4i64] } output { [3i64, 4i64, 6i64, 10i64] }
entry scanned [n] (is: [n]i64): [n]i64 =
  let op (i: i64) (j: i64) =
    let t = loop a = [i, j] for k < 4 do
      if a[1] == k then a ++ [k] |> take 2 else map (\x -> x - x / 2) a
    in if t[0] < -1000 then 0 else i + j
  in scan op 0 is
