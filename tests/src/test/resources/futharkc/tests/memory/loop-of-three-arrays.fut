-- allocations: c 7, cuda 7, multicore 7
-- call: odd 3i64 [4i64, 1i64, 7i64, 2i64]
-- call: odd 0i64 [4i64, 1i64, 7i64]
-- call: odd 4i64 [4i64, 1i64]
-- call: nested 3i64 [4i64, 1i64, 7i64, 2i64]
-- call: nested 0i64 [4i64]
-- call: nested_later 3i64 [4i64, 1i64, 7i64, 2i64]
-- call: nested_later 2i64 [4i64, 3i64]
-- An iteration goes through three arrays, each of which reads all of the last one: two blocks for
-- all iterations, since the block of the iteration before is free for the second. An inner loop that
-- starts with what the outer one has, and makes each element from itself: one block for both loops.
-- What is read once more, or given to another array, is not written over.
def step [n] (xs: [n]i64) : [n]i64 = tabulate n (\i -> xs[n - 1 - i] + xs[(i + 1) % n] * 2)

entry odd [n] (k: i64) (as: [n]i64) : [n]i64 =
  loop xs = map (+ 1) as for _i < k do step (step (step xs))

entry nested [n] (k: i64) (as: [n]i64) : [n]i64 =
  loop xs = map (+ 1) as for i < k do loop ys = xs for j < i do map (\y -> y * 3 + j) ys

entry nested_later [n] (k: i64) (as: [n]i64) : [n]i64 =
  loop xs = map (+ 1) as
  for i < k do
    let zs = loop ys = xs for j < i do map (\y -> y * 3 + j) ys
    in step (map2 (+) zs xs)
