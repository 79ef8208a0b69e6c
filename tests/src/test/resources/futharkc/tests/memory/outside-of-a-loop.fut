-- allocations: c 2, cuda 3, multicore 2
-- call: main 3i64 [1,2,3]
-- call: main 0i64 [1,2,3]
-- The next iteration reads it again (figure 6.3).
def main (k: i64) (a: []i32) : i32 =
  let t = scan (+) 0 a
  in loop s = 0 for i < k do
       let v = map (\x -> x + i32.i64 i + s) t
       in s + i32.sum (scan (+) 0 v)
