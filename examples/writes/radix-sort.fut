-- Radix sort, one bit at a time. Each step is a stable partition: elements with a zero bit come first.
-- ==
-- entry: sort
-- input { [83u32, 1u32, 4u32, 99u32, 33u32, 0u32, 6u32, 5u32] }
-- output { [0u32, 1u32, 4u32, 5u32, 6u32, 33u32, 83u32, 99u32] }
-- input { empty([0]u32) } output { empty([0]u32) }
-- input { [4294967295u32] } output { [4294967295u32] }

def step [n] (digit: u32) (xs: [n]u32) : [n]u32 =
  let ones = map (\x -> i64.u32 ((x >> digit) & 1)) xs
  let zeros = map (1 -) ones
  let offset = i64.sum zeros
  let places0 = scan (+) 0 zeros
  let places1 = map (+ offset) (scan (+) 0 ones)
  let places = map3 (\one p q -> (if one == 1 then q else p) - 1) ones places0 places1
  in scatter (copy xs) places xs

entry sort [n] (xs: [n]u32) : [n]u32 =
  loop xs for digit < 32 do step (u32.i32 digit) xs

-- ==
-- entry: sorted
-- input { 100000i64 } output { true }
entry sorted (n: i64) : bool =
  let xs = sort (tabulate n (\i -> u32.i64 (i * 2654435761)))
  in and (map (\i -> i == 0 || xs[i - 1] <= xs[i]) (indices xs))
