-- allocations: c 3, cuda 2, multicore 3
-- call: main 3i64 2i64 [5i64, 1i64, 4i64]
-- call: main 2i64 5i64 [5i64]
-- Blocks of other elements are other blocks, where blocks have elements.
def last 't [n] (zero: t) (xs: [n]t) : t = if n == 0 then zero else xs[n - 1]

def longs (n: i64) (x: i64) : i64 =
  #[sequential]
  last 0 (loop s = replicate n x for i < n - 1 do s with [i + 1] = s[i] + (s[n - 1 - i] * 3) % 17)

def ints (n: i64) (x: i32) : i32 =
  #[sequential]
  last 0 (loop s = replicate n x for i < n - 1 do s with [i + 1] = s[i] + (s[n - 1 - i] * 3) % 17)

def main [n] (k: i64) (m: i64) (a: [n]i64) : [n]i64 =
  map (\x -> longs (m + 2) (i64.i32 (ints (k + 1) (i32.i64 x)))) a
