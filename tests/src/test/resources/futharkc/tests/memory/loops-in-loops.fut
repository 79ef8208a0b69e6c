-- allocations: c 6, cuda 6, multicore 6
-- call: main 2i64 3i64 [1,2,3]
-- call: main 2i64 0i64 [1,2,3]
-- call: main 0i64 2i64 [1,2,3]
-- call: two 2i64 3i64 [1,2,3]
-- call: two 3i64 1i64 [1,2,3]
-- call: two 2i64 0i64 [1,2,3]
-- call: held 2i64 3i64 [1,2,3]
-- call: held 2i64 0i64 [1,2,3]
-- Both loops go back and forth between the caller's block and another one.
def main [k] (n: i64) (m: i64) (xs: *[k]i32) : *[k]i32 =
  loop (as: [k]i32) = xs for _i < n do
    loop (bs: [k]i32) = as for j < m do map2 (\x y -> x + 2 * y + i32.i64 j) bs (reverse bs)
-- So do two loops, one after the other.
entry two [k] (n: i64) (m: i64) (xs: *[k]i32) : *[k]i32 =
  loop (as: [k]i32) = xs for _i < n do
    let cs = loop (bs: [k]i32) = as for j < m do map2 (\x y -> x + 2 * y + i32.i64 j) bs (reverse bs)
    in loop (bs: [k]i32) = cs for j < m do map2 (\x y -> x - 3 * y + i32.i64 j) bs (reverse bs)
-- What the inner loop starts with is needed afterwards.
entry held [k] (n: i64) (m: i64) (xs: *[k]i32) : *[k]i32 =
  loop (as: [k]i32) = xs for _i < n do
    let cs = loop (bs: [k]i32) = as for j < m do map2 (\x y -> x + 2 * y + i32.i64 j) bs (reverse bs)
    in map2 (\x y -> x * 2 + y) cs (reverse as)
