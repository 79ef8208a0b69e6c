-- allocations: c 2, cuda 2, multicore 3
-- Made by one block of threads, which has read what is in the place by then: no copy beside the
-- one to shared memory and back.
-- call: main [[[1i64, 2i64, 3i64, 4i64]], [[5i64, 6i64, 7i64, 8i64]]] 1i64
-- call: main [[[1i64, 2i64, 3i64, 4i64]], [[5i64, 6i64, 7i64, 8i64]]] 0i64
-- call: main [[[1i64, 2i64, 3i64, 4i64]], [[5i64, 6i64, 7i64, 8i64]]] 2i64

def main [m] (xs: *[2][m][4]i64) (k: i64) : [2][m][4]i64 =
  let made =
    #[incremental_flattening(only_intra)]
    map (\x ->
           loop x = copy x for i < 2 do
             let y = map (\j -> x[3 - j] + i) (iota 4)
             in scan (+) 0 y)
        (take k (xs[1] :> [1][4]i64))
  in xs with [1, 0] = made[0]
