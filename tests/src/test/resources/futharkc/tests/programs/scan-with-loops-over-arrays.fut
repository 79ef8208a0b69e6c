-- The body of a scan, which a kernel contains twice, passes an array of a thread to a loop.
-- ==
-- input { [1i64, 2i64, 3i64, 4i64, 5i64] } output { [2i64, 4i64, 5i64, 10i64, 17i64] }

def turned (x: i64) (y: i64): i64 =
  let t = loop a: [3]i64 = [x, y, x + y] for _k < x % 3 do reverse a
  in if t[2] == 7 then x else x ^ y

def main (xs: []i64): []i64 =
  scan (+) 0
       (map (\x -> loop s = x for y < 4i64 do if s % 5 == 0 then s + 1 else turned s y) xs)
