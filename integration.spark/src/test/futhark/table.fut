-- | Operations on the columns of a dataset.

type matrix = {a: u32, b: u32, c: u32, d: u32}

def times (x: matrix) (y: matrix) : matrix =
  { a = x.a * y.a + x.b * y.c
  , b = x.a * y.b + x.b * y.d
  , c = x.c * y.a + x.d * y.c
  , d = x.c * y.b + x.d * y.d
  }

-- | The product of matrices, whose join is not commutative.
entry product [n] (xs: [n]i64) : matrix =
  reduce times
         {a = 1, b = 0, c = 0, d = 1}
         (map (\x -> {a = u32.i64 x, b = 1, c = 1, d = u32.i64 (x * x)}) xs)

entry join (x: matrix) (y: matrix) : matrix = times x y
entry one : matrix = {a = 1, b = 0, c = 0, d = 1}

-- | The number and the sum of all rows.
entry total [n] (xs: [n]i64) : (i64, i64) = (n, i64.sum xs)

entry join_total (x: (i64, i64)) (y: (i64, i64)) : (i64, i64) =
  (x.0 + y.0, x.1 + y.1)

entry scaled [n] (a: f64) (table: []f64) (xs: [n]f64) : [n]f64 =
  map (\x -> a * x + f64.sum table) xs

entry evens (xs: []i64) = filter (\x -> x % 2 == 0) xs

entry both [n] (xs: [n]i64) (ys: [n]f64) : {sum: [n]f64, same: [n]bool} =
  { sum = map2 (\x y -> f64.i64 x + y) xs ys
  , same = map2 (\x y -> f64.i64 x == y) xs ys
  }

entry checked [n] (xs: [n]i64) : [n]i64 = map (\x -> assert (x >= 0) x) xs
entry small [n] (xs: [n]u8) (ys: [n]i16) : ([n]u8, [n]i32) =
  (map (+ 1) xs, map2 (\x y -> i32.u8 x + i32.i16 y) xs ys)

entry rows [n] (xs: [n]i64) : [n][2]i64 = map (\x -> [x, x]) xs

-- | A partial result that takes time.
entry slow [n] (xs: [n]i64) : i64 =
  i64.sum (map (\x -> loop y = x for i < 20000000 do (y * 31 + i) % 1000003) xs)

entry join_slow (x: i64) (y: i64) : i64 = x + y
