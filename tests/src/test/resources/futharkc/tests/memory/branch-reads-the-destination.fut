-- allocations: c 1, cuda 1, multicore 1
-- call: main true [1, 2, 3] [7, 8]
-- call: main false [1, 2, 3] [7, 8]
-- One branch between reads what the copy overwrites.
def main [n] [k] (c: bool) (d: *[n]i32) (v: [k]i32) : ([]i32, i32) =
  let x = scan (+) 0 v
  let s = if c then loop s = 0 for e in d do s * 2 + e else 0
  let d[0:k] = x
  in (d, s)
