-- Nested parallelism whose best code version depends on the sizes, for autotune.
-- ==
-- compiled random input { [1048576][16]f32 }
-- compiled random input { [4096][4096]f32 }
-- compiled random input { [16][1048576]f32 }

let main [n] [m] (xss: [n][m]f32): [n]f32 =
  map (\xs -> let mean = f32.sum xs / f32.i64 m
              let square = map (\x -> (x - mean) * (x - mean)) xs |> f32.sum
              in f32.sqrt (square / f32.i64 m)) xss
