-- allocations: c 1, cuda 1, multicore 1
-- call: main [1,2,3] [4,5]
-- call: main empty([0]i32) [1]
-- Both are made in the result: F1, chains of copies to one block.
def main (a: []i32) (b: []i32) : []i32 =
  scan (+) 0 a ++ scan (i32.max) 0 b
