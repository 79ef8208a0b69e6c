-- Slices whose size is known to be negative fail where they are made, not in the compiler.
-- ==
-- entry: slice
-- input { 5i64 } error: out of bounds
entry slice (n: i64): []i64 = (iota n)[2:1]

-- ==
-- entry: called
-- input { } error: out of bounds
#[noinline]
def part (a: i64) (b: i64): []i64 = (iota 10)[a:b]
entry called: []i64 = part 5 3

-- ==
-- entry: row
-- input { 3i64 } error: out of bounds
entry row (n: i64): [][]i64 = (tabulate_2d n n (+))[:, 2:1]
