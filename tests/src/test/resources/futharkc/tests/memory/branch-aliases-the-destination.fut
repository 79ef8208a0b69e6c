-- allocations: c 1, cuda 1, multicore 1
-- call: main true [1, 2, 3] [4, 5, 6] [7, 8]
-- call: main false [1, 2, 3] [4, 5, 6] [7, 8]
-- What a branch results in is in a block of another name: to read one of its arrays is to read the destination.
def main [n] [k] (c: bool) (a: *[n]i32) (b: *[n]i32) (v: [k]i32) : ([]i32, i32) =
  let d = if c then a else b
  let x = scan (+) 0 v
  let s = a[0]
  let d[0:k] = x
  in (d, s)
