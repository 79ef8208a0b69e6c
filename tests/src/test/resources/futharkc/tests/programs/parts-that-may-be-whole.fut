-- Parts of arrays that may be all of them: copied for results and functions if they are not.
-- ==
-- entry: ensure
-- input { [[1,2,3],[4,5,6],[7,8,9]] } output { [[1]] }
-- input { [[1,2,3,4],[5,6,7,8]] } output { [[1], [5]] }
-- input { [[1],[2]] } output { empty([0][1]i32) }

-- ==
-- entry: part
-- input { 0i64 3i64 [[1,2,3],[4,5,6],[7,8,9]] } output { [[1, 2, 3], [4, 5, 6], [7, 8, 9]] }
-- input { 1i64 3i64 [[1,2,3],[4,5,6],[7,8,9]] } output { [[4, 5, 6], [7, 8, 9]] }
-- input { 0i64 2i64 [[1,2,3],[4,5,6],[7,8,9]] } output { [[1, 2], [4, 5], [7, 8]] }
-- input { 3i64 2i64 [[1,2,3],[4,5,6],[7,8,9]] } output { empty([0][2]i32) }
-- input { 0i64 0i64 [[1,2,3],[4,5,6],[7,8,9]] } output { empty([3][0]i32) }
-- input { 2i64 1i64 [[1,2,3],[4,5,6],[7,8,9]] } output { [[7]] }
-- input { 2i64 3i64 [[1,2,3],[4,5,6],[7,8,9]] } output { [[7, 8, 9]] }

-- ==
-- entry: off
-- input { 0i64 [5,6,7] } output { [5, 6, 7] }
-- input { 1i64 [5,6,7] } output { [6, 7] }
-- input { 2i64 [5,6,7] } output { [7] }
-- input { 3i64 [5,6,7] } output { empty([0]i32) }

-- ==
-- entry: arg
-- input { 1i64 [[1,2,3],[4,5,6],[7,8,9]] } output { [[1]] [[1]] }
-- input { 2i64 [[1,2,3],[4,5,6],[7,8,9]] } output { [[1, 2], [4, 5]] [[1, 2], [4, 5]] }
-- input { 3i64 [[1,2,3],[4,5,6],[7,8,9]] } output { [[1, 2, 3], [4, 5, 6], [7, 8, 9]] [[1, 2, 3], [4, 5, 6], [7, 8, 9]] }

-- ==
-- entry: upd
-- input { 1i64 [[1,2,3],[4,5,6],[7,8,9]] } output { [[1]] [[1]] [[7, 2, 3], [4, 5, 6], [7, 8, 9]] }
-- input { 2i64 [[1,2,3],[4,5,6],[7,8,9]] } output { [[1, 2], [4, 5]] [[1, 2], [4, 5]] [[7, 2, 3], [4, 5, 6], [7, 8, 9]] }
-- input { 3i64 [[1,2,3],[4,5,6],[7,8,9]] } output { [[1, 2, 3], [4, 5, 6], [7, 8, 9]] [[1, 2, 3], [4, 5, 6], [7, 8, 9]] [[7, 2, 3], [4, 5, 6], [7, 8, 9]] }

entry ensure [n] [m] (xs: [n][m]i32) : [][]i32 =
  if n == 2 then xs[0:m / 2, 0:n / 2] else xs[0:n / 2, 0:m / 2]
entry part [n] [m] (i: i64) (k: i64) (xs: [n][m]i32) : [][]i32 = xs[i:, 0:k]
entry off [n] (i: i64) (xs: [n]i32) : []i32 = xs[i:]
#[noinline] def f [k] (xs: [k][k]i32) = let ys = copy xs in ys with [0,0] = 1
entry arg [n] (k: i64) (xs: [n][n]i32) = (f xs[0:k, 0:k], f xs[0:k,0:k])
entry upd [n] (k: i64) (xs: *[n][n]i32) = let ys = xs[0:k, 0:k] let z = f ys let zs = copy xs with [0, 0] = 7 in (ys, z, zs)
