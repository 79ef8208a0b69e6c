-- allocations: c 2, cuda 2, multicore 2
-- allocations:
-- call: main 5i64
-- Two results of one map, each after a first element: made where they go (figures 10.3 to 10.5).
def main (n: i64) : ([]f64, []f64) =
  let (a, b) = unzip (map (\i -> (f64.i64 i, f64.sqrt (f64.i64 i))) (iota n))
  in ([1.0] ++ a, [2.0] ++ b)
