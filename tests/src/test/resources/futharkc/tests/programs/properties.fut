-- Properties that hold, of all kinds of generated values and with a generator and a shrinker.
-- ==
-- property: reversed_twice
-- property: swapped sums_up
-- property: consumed
-- property: from_generator

#[prop]
entry reversed_twice (xs: []i32) = and (map2 (==) (reverse (reverse xs)) xs)

#[prop(size(7))]
entry swapped (p: (i8, {a: bool, b: []u16})) = let (x, r) = p in x == p.0 && length r.b == 7

#[prop(size(3))]
entry sums_up (xs: [](i64, i64)) = let (as, bs) = unzip xs in i64.sum as + i64.sum bs == i64.sum (map (\(a, b) -> a + b) xs)

#[prop]
entry consumed (xs: *[]i32) = let n = length xs in length (xs with [0] = 1) == n

type shape = #circle i64 | #square

entry any_shape (size: i64) (seed: u64) : shape = if seed % 2 == 0 then #circle size else #square

entry smaller_shape (s: shape) (_: u64) : shape =
  match s
  case #circle n -> #circle (n / 2)
  case #square -> #square

#[prop(gen(any_shape),shrink(smaller_shape),size(5))]
entry from_generator (s: shape) =
  match s
  case #circle n -> n == 5
  case #square -> true
