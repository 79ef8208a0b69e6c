-- allocations: c 2, cuda 2, multicore 2
-- allocations:
-- call: main 2i64 [1,2,3]
-- call: main 0i64 [1,2,3]
-- Each iteration fills an array from an element of the last one: it cannot be where that is.
def main [n] (k: i64) (a: [n]i32) : []i32 =
  let t = scan (+) 0 a
  in copy (loop u = t for _i < k do
    let v = replicate n 0
    in loop v for j < n do v with [j] = u[0] + 1 + i32.i64 j)
