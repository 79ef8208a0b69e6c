-- Branches make different sizes of a size that the loop has yet to find.
entry grow (k: i64) (x: i64) : []i64 =
  loop ys = [x] for i < k % 5 do if i % 2 == 0 then ys ++ ys else ys ++ [x]

entry annotated (k: i64) (x: i64) : []i64 =
  loop (ys: []i64) = [x] for i < k % 5 do if i % 2 == 0 then ys ++ ys else ys ++ [x]

entry cases (k: i64) (x: i64) : i64 =
  length (loop ys = [x, x] for i < k % 4
          do match i case 0 -> ys ++ [x] case 1 -> ys ++ ys case _ -> ys[1:])
