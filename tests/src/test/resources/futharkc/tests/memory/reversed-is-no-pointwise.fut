-- allocations: c 1, cuda 1, multicore 1
-- call: main [3,1,2]
-- call: main [3,1,2,4]
-- Read at another index than is written: a block of its own.
def main (a: *[]i32) : *[]i32 =
  let b = map (+ 1) a
  let n = length a
  in map (\i -> b[n - 1 - i] + b[i]) (iota n)
