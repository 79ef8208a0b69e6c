-- allocations: c 5, cuda 2, multicore 2
-- call: main 3i64 2i64 [5i64, 1i64, 4i64]
-- call: main 2i64 5i64 [5i64]
-- Four arrays of three sizes, one after the other at each index: one block that has room for the
-- largest (B13: also for what is in a block that was reused before).
def last [n] (xs: [n]i64) : i64 = if n == 0 then 0 else xs[n - 1]

def sums (n: i64) (x: i64) : i64 =
  #[sequential]
  last (loop s = replicate n x for i < n - 1 do s with [i + 1] = s[i] + (s[n - 1 - i] * 3) % 17)

def main [n] (k: i64) (m: i64) (a: [n]i64) : [n]i64 =
  map (\x ->
         let u = sums (k + 1) x
         let v = sums (m + 2) u
         let w = sums (k + m) v
         in sums (k + 1) w)
      a
