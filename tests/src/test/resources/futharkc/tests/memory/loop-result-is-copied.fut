-- allocations: c 3, cuda 3, multicore 3
-- call: main [1,2,3] 2i64
-- call: main [1,2,3] 0i64
-- call: pointwise [1,2,3] 2i64
-- call: pointwise [1,2,3] 0i64
-- The array that the loop starts with is copied, and the other block is the loop's.
def main (xs: []i32) (k: i64) : *[]i32 = copy (loop ys = xs for _i < k do map2 (+) ys (reverse ys))
-- The copy is all that the loop needs.
entry pointwise (xs: []i32) (k: i64) : *[]i32 = copy (loop ys = xs for _i < k do map (* 3) ys)
