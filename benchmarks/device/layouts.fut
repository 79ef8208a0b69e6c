-- Layouts of arrays: rows of different lengths, read once or several times by the thread that owns them.

-- Each thread walks along its row r times.
-- ==
-- entry: rows
-- random input { 1i64 [65536][16]f32 }
-- random input { 4i64 [65536][16]f32 }
-- random input { 16i64 [65536][16]f32 }
-- random input { 1i64 [65536][64]f32 }
-- random input { 2i64 [65536][64]f32 }
-- random input { 4i64 [65536][64]f32 }
-- random input { 8i64 [65536][64]f32 }
-- random input { 32i64 [65536][64]f32 }
-- random input { 1i64 [65536][512]f32 }
-- random input { 2i64 [65536][512]f32 }
-- random input { 4i64 [65536][512]f32 }
-- random input { 8i64 [65536][512]f32 }
-- random input { 8i64 [1000000][32]f32 }
entry rows [n][m] (r: i64) (xss: [n][m]f32): [n]f32 =
  map (\xs ->
         loop s = 0 for k < r do
           loop t = s for j < m do t * 0.99 + f32.abs (xs[j] - f32.i64 k))
      xss

-- The same with elements of eight bytes.
-- ==
-- entry: rows_f64
-- random input { 1i64 [65536][64]f64 }
-- random input { 4i64 [65536][64]f64 }
-- random input { 16i64 [65536][64]f64 }
entry rows_f64 [n][m] (r: i64) (xss: [n][m]f64): [n]f64 =
  map (\xs ->
         loop s = 0 for k < r do
           loop t = s for j < m do t * 0.99 + f64.abs (xs[j] - f64.i64 k))
      xss

-- The same under a condition, so that no other pass serves the rows.
-- ==
-- entry: rows_if
-- random input { 1i64 [1000000][33]f32 }
-- random input { 8i64 [1000000][32]f32 }
-- random input { 1i64 [262144][115]f32 }
-- random input { 8i64 [262144][115]f32 }
entry rows_if [n][m] (r: i64) (xss: [n][m]f32): [n]f32 =
  map (\xs ->
         loop s = 0 for k < r do
           loop t = s for j < m do t * 0.99 + (if j > 0 then f32.abs (xs[j] - f32.i64 k) else 1))
      xss

-- The same along two arrays.
-- ==
-- entry: two
-- random input { 1i64 [57600][32]f32 [57600][32]f32 }
-- random input { 1i64 [262144][32]f32 [262144][32]f32 }
-- random input { 4i64 [262144][32]f32 [262144][32]f32 }
-- random input { 1i64 [1000000][32]f32 [1000000][32]f32 }
-- random input { 4i64 [1000000][32]f32 [1000000][32]f32 }
-- random input { 1i64 [262144][115]f32 [262144][115]f32 }
entry two [n][m] (r: i64) (as: [n][m]f32) (bs: [n][m]f32): [n]f32 =
  map2 (\a b ->
          loop s = 0 for k < r do
            loop t = s for j < m do t * 0.99 + (if j > 0 then f32.abs (a[j] - f32.i64 k) + b[j] else 1))
       as bs

-- The same along four arrays.
-- ==
-- entry: four
-- random input { 1i64 [57600][32]f32 [57600][32]f32 [57600][32]f32 [57600][32]f32 }
-- random input { 1i64 [57600][115]f32 [57600][115]f32 [57600][115]f32 [57600][115]f32 }
-- random input { 1i64 [230400][32]f32 [230400][32]f32 [230400][32]f32 [230400][32]f32 }
-- random input { 1i64 [230400][115]f32 [230400][115]f32 [230400][115]f32 [230400][115]f32 }
entry four [n][m] (r: i64) (as: [n][m]f32) (bs: [n][m]f32) (cs: [n][m]f32) (ds: [n][m]f32): [n]f32 =
  map4 (\a b c d ->
          loop s = 0 for k < r do
            loop t = s for j < m do
              t * 0.99 + (if j > 0 then f32.abs (a[j] - f32.i64 k) + b[j] * c[j] + d[j] else 1))
       as bs cs ds

-- Each thread makes a row, which others read along columns.
-- ==
-- entry: made_by_rows
-- random input { [65536]f32 }
entry made_by_rows [n] (xs: [n]f32): [64]f32 =
  let yss = map (\x -> (loop (y, ys) = (x, replicate 64 0) for j < 64 do
                          let z = f32.sin y in (z, ys with [j] = z)).1) xs
  in map (\j -> f32.sum (map (\ys -> ys[j]) yss)) (iota 64)

-- A map over two dimensions, whose accesses all go along the outer one.
-- ==
-- entry: turned
-- random input { [4096][4096]f32 }
-- random input { [1024][1024]f32 }
entry turned [n][m] (xss: [n][m]f32): [m][n]f32 =
  let yss = tabulate_2d m n (\j i -> f32.sqrt xss[i, j])
  let zss = tabulate_2d m n (\j i -> yss[j, i] + xss[i, j] * xss[i, (j + 1) % m])
  in map (map (+ 1)) zss

-- A step over one dimension of three, as in finite differences.
-- ==
-- entry: along_first
-- random input { [64][256][256]f32 }
-- random input { [256][512][512]f32 }
entry along_first [k][n][m] (xsss: [k][n][m]f32): [n][m][k]f32 =
  tabulate_3d n m k (\i j l -> xsss[l, i, j] + xsss[(l + 1) % k, i, j] + xsss[(l + 2) % k, i, j])

-- Steps of the host whose kernels read the same rows.
-- ==
-- entry: steps
-- random input { 20i64 [500000][34]f32 }
-- random input { 20i64 [65536][256]f32 }
-- random input { 2i64 [65536][256]f32 }
-- random input { 1i64 [65536][256]f32 }
entry steps [n][m] (steps: i64) (xss: [n][m]f32): [n]f32 =
  loop ys = replicate n 0 for t < steps do
    tabulate n (\i -> ys[i] + (loop s = 0 for k < 5 do loop s for j < m do s * 2 + xss[i, j]))
