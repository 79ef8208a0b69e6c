-- allocations: c 3, cuda 4, multicore 3
-- call: main [1,2,3] [4,5]
-- A function looks for the array at the start of a block.
#[noinline]
def total (xs: []i32) : i32 = i32.sum (scan (i32.max) 0 xs)

def main (a: []i32) (b: []i32) : []i32 =
  let s = scan (+) 0 a
  let t = total s
  in map (+ t) b ++ s
