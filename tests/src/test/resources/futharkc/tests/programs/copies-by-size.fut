-- Threads that walk along rows. On a device, the program copies the rows if the sizes of a call make
-- that faster: many rounds, or many threads.
-- ==
-- entry: rounds
-- input { 1i64 [[1, 2, 3], [4, 5, 6]] } output { [5, 11] }
-- input { 40i64 [[1, 2, 3], [4, 5, 6]] } output { [200, 440] }
-- input { 40i64 empty([2][0]i32) } output { [0, 0] }

entry rows (n: i64): [n][5]i32 = tabulate_2d n 5 (\i j -> i32.i64 ((i * 7 + j * 3) % 5))

entry rounds [n][m] (r: i64) (xss: [n][m]i32): [n]i32 =
  map (\xs -> loop s = 0 for _k < r do loop s for j < m do s + if j > 0 then xs[j] else 0) xss

-- ==
-- entry: threads
-- script input { (rows 10i64, rows 10i64, rows 10i64, rows 10i64) } output { 580 }
-- script input { (rows 90000i64, rows 90000i64, rows 90000i64, rows 90000i64) }
-- output { 5220000 }
entry threads [n][m] (as: [n][m]i32) (bs: [n][m]i32) (cs: [n][m]i32) (ds: [n][m]i32): i32 =
  map4 (\a b c d ->
          #[sequential]
          loop s = 0 for j < m do
            s + if j > 0 then a[j] * b[m - 1 - j] + c[j] * 2 + d[j - 1] * a[j - 1] else 1)
       as bs cs ds
  |> map (% 1000) |> i32.sum
