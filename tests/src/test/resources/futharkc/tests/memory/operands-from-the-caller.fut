-- allocations: c 1, cuda 1, multicore 1
-- allocations:
-- call: main [1,2,3] [4,5]
-- What is concatenated is the caller's (figure 5.12).
def main [n] [m] (a: [n]i32) (b: [m]i32) : []i32 = a ++ b
