-- A constant with nested parallelism, and a function that stays and is mapped over.
-- ==
-- input { [3i64, 5i64, 2i64] } output { [15i64, 19i64, 5i64] }
def table: [4][3]i64 = map (\i -> map (\j -> i * j + 1) (iota 3)) (iota 4)

#[noinline]
def sums (n: i64) (row: [3]i64): i64 =
  i64.sum (map (\i -> i + row[i % 3]) (iota n))

def main (ns: []i64): []i64 =
  map (\n -> sums n table[n % 4] + i64.sum (map i64.sum table) % 5) ns
