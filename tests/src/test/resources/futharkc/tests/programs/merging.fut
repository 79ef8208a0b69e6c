-- Sizes that a branch gives, in what its arrays are copied to.
-- ==
-- entry: sums
-- input { [5i64, 10i64, 15i64] [1i64, 4i64, 3i64] true }
-- output { [49i64, 151i64, 286i64] }
-- input { [5i64, 10i64, 15i64] [1i64, 4i64, 3i64] false }
-- output { [44i64, 237i64, 402i64] }
entry sums [n] (xs: [n]i64) (ys: [n]i64) (doubled: bool) =
  map2 (\x y ->
          let (as, bs, cs) =
            opaque (if doubled
                    then (map (* 2) (iota x), map (+ 1) (iota y), map (+ x) [x, 7, y])
                    else (map (+ x) (iota x), map (* y) (iota y), map (* y) [y, 1, x, 2]))
          in i64.sum (as ++ bs ++ cs))
       xs
       ys
