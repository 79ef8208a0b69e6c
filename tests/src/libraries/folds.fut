-- | Folds, maps and wrong operations for tests of partitions.

type matrix = {a: u32, b: u32, c: u32, d: u32}

def times (x: matrix) (y: matrix) : matrix =
  { a = x.a * y.a + x.b * y.c
  , b = x.a * y.b + x.b * y.d
  , c = x.c * y.a + x.d * y.c
  , d = x.c * y.b + x.d * y.d
  }

entry one : matrix = {a = 1, b = 0, c = 0, d = 1}

entry product [n] (a: [n]u32) (b: [n]u32) : matrix =
  reduce times one (map2 (\a b -> {a, b, c = 1, d = a ^ b}) a b)

entry join (x: matrix) (y: matrix) : matrix = times x y

-- | The first and the last element.
entry ends [n] (xs: [n]i64) : (i64, i64) = (xs[0], xs[n - 1])

entry join_ends (x: (i64, i64)) (y: (i64, i64)) : (i64, i64) = (x.0, y.1)

entry scaled [n] (a: f64) (table: []f64) (xs: [n]f64) = map (\x -> a * x + table[0]) xs

entry evens [n] (xs: [n]i64) = filter (\x -> x % 2 == 0) xs

entry pairs [n] (xs: [n]i64) (ys: [n]i64) = (map2 (+) xs ys, map2 (*) xs ys)

entry shorter (xs: []i64) = xs[1:]

entry checked [n] (xs: [n]i64) = map (\x -> assert (x >= 0) x) xs

entry sum (xs: []i64) = i64.sum xs
entry wrong_join (x: i64) (y: i32) = x + i64.i32 y
