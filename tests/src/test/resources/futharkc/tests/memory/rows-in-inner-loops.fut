-- allocations: c 3, cuda 2, multicore 3
-- call: main [3i64, 1i64, 4i64] 3i64 2i64 5i64
-- call: main [3i64] 2i64 5i64 2i64
-- call: main [3i64] 0i64 1i64 1i64
-- Each iteration of a thread makes some rows in an inner loop, then one of another size: on a GPU
-- one block that has room for either, although both are in loops and the one is in one more.
def main [n] (xs: [n]i64) (k: i64) (m: i64) (p: i64) : [n]i64 =
  #[sequential_inner]
  map (\x ->
         loop acc = x for _i < k do
           let s =
             i64.sum (map (\j ->
                             let a = scan (+) 0 (map (+ j) (iota m))
                             in a[m / 2] + a[acc % m])
                          (iota k))
           let b = scan (+) 0 (map (* s) (iota p))
           in b[p / 2] + b[acc % p])
      xs
