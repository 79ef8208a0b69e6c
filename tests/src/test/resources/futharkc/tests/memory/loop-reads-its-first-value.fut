-- allocations: c 1, cuda 1, multicore 1
-- call: main [3i64, 1i64, 2i64]
-- call: main [5i64]
-- The loop makes a new array each time, and still reads the one that it began with.
entry main [n] (xs: *[n]i64) : [n]i64 =
  let first = scan (\x y -> if y == 0 then x else x + y) 0 xs
  let last =
    loop now = first for x in first do
      map (\i -> x + i + now[0] * 0) (iota n)
  in copy last
