-- allocations: c 12, cuda 29, multicore 12
-- call: main 3i64 [1i64,2i64,3i64,4i64,5i64,6i64,7i64]
-- call: main 0i64 [1i64,2i64]
-- call: main 2i64 empty([0]i64)
-- call: composed 2i64 [1i64,2i64,3i64,4i64,5i64,6i64,7i64,8i64,9i64,1i64,2i64,3i64,4i64,5i64,6i64,7i64,8i64,9i64,2i64,3i64,4i64,5i64,6i64,7i64,8i64,9i64,1i64,2i64,3i64,4i64,5i64,6i64,7i64,8i64,9i64]
-- call: tables 2i64 3i64 [1i64,2i64,3i64,4i64,5i64]
-- call: prefixes [[1i64,2i64,5i64],[3i64,4i64,6i64]]
-- Threads add up the rows that they make, so there is no array of all rows. What does not commute
-- is combined in order.
def row (m: i64) (x: i64) : [m]i64 =
  let s = scan (+) x (iota m)
  in map (\j -> s[(j + x) % m] * x) (iota m)

entry main [n] (m: i64) (xs: [n]i64) : [m]i64 =
  #[sequential_inner] reduce (map2 (+)) (replicate m 0) (map (row m) xs)

-- Linear functions, one after the other.
entry composed [n] (m: i64) (xs: [n]i64) : ([m]i64, [m]i64) =
  #[sequential_inner]
  reduce (\(as, bs) (cs, ds) -> unzip (map4 (\a b c d -> (a * c, b * c + d)) as bs cs ds))
         (replicate m 1, replicate m 0)
         (map (\x -> let s = scan (+) x (iota m) in (map (% 3) s, map (* x) s)) xs)
  |> \(as, bs) -> (as, bs)

entry tables [n] (m: i64) (k: i64) (xs: [n]i64) : [m][k]i64 =
  #[sequential_inner]
  reduce (map2 (map2 (+))) (replicate m (replicate k 0)) (map (\x -> map (\y -> row k (x + y)) (iota m)) xs)

-- Rows of the array given up are written to.
entry prefixes [n] [m] (xss: *[n][m]i64) : [m]i64 =
  #[sequential_inner]
  reduce (map2 (+)) (replicate m 0)
         (map (\xs -> loop q = copy xs for i < m - 1 do q with [i + 1] = q[i] + q[i + 1]) xss)
