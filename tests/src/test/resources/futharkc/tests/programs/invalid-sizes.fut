-- Arguments whose sizes contradict each other. The message names the argument, its type and the needed type.
-- ==
-- entry: both
-- input { [1i32, 2i32] [3i32, 4i32] } output { [4i32, 6i32] }
-- input { [1i32, 2i32] [3i32, 4i32, 5i32] } error: invalid sizes: argument 2 \(ys\) is of type \[3\]i32, but \[2\]i32 is needed
-- input { empty([0]i32) [3i32] } error: invalid sizes: argument 2 \(ys\) is of type \[1\]i32, but \[0\]i32 is needed
entry both [n] (xs: [n]i32) (ys: [n]i32): [n]i32 = map2 (+) xs ys

-- ==
-- entry: square
-- input { [[1i32, 2i32], [3i32, 4i32]] } output { 5i32 }
-- input { [[1i32, 2i32, 3i32], [4i32, 5i32, 6i32]] } error: invalid sizes: argument 1 \(xss\) is of type \[2\]\[3\]i32, but \[2\]\[2\]i32 is needed
entry square [n] (xss: [n][n]i32): i32 = i32.sum (map (\i -> xss[i, i]) (iota n))

-- ==
-- entry: fixed
-- input { 1i32 [1i32, 2i32, 3i32] } output { 7i32 }
-- input { 1i32 [1i32, 2i32] } error: invalid sizes: argument 2 \(xs\) is of type \[2\]i32, but \[3\]i32 is needed, which the program and the other arguments make of \[3\]i32
entry fixed (x: i32) (xs: [3]i32): i32 = x + i32.sum xs

type numbers [n] = {numbers: [n]i32, sum: i32}
entry numbers (n: i64): numbers [n] = {numbers = map i32.i64 (iota n), sum = 0}

-- ==
-- entry: added
-- script input { (numbers 2i64, numbers 2i64) } output { [0i32, 2i32] }
-- script input { (numbers 2i64, numbers 3i64) } error: invalid sizes: argument 2 \(b\) is of type {numbers: \[3\]i32, sum: i32}, but {numbers: \[2\]i32, sum: i32} is needed
entry added [n] (a: numbers [n]) (b: numbers [n]): [n]i32 = map2 (+) a.numbers b.numbers
