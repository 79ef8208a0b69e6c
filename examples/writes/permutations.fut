-- Scatters whose indices the compiler proves to be in range, distinct, or a permutation. Each is
-- compared with the same scatter to opaque indices.
-- ==
-- entry: same
-- input { 0i64 } output { true }
-- input { 1i64 } output { true }
-- input { 2i64 } output { true }
-- input { 3i64 } output { true }
-- input { 10i64 } output { true }
-- input { 1000i64 } output { true }
-- input { 100000i64 } output { true }

def ranks [n] (flags: [n]bool) : [n]i64 = scan (+) 0 (map i64.bool flags)

def total [n] (flags: [n]bool) : i64 = i64.sum (map i64.bool flags)

-- With 9 where nothing is written.
def agrees [n] (k: i64) (is: [n]i64) (vs: [n]i32) : bool =
  let known = scatter (replicate k 9) is vs
  let unknown = scatter (opaque (replicate k 9)) (opaque is) vs
  in and (map2 (==) known unknown)

-- One write after another to the same array.
def agree [n] (k: i64) (is: [n]i64) (js: [n]i64) (vs: [n]i32) : bool =
  let ws = map (+ 1) vs
  let known = scatter (scatter (replicate k 9) is vs) js ws
  let unknown = scatter (opaque (scatter (replicate k 9) (opaque is) vs)) (opaque js) ws
  in and (map2 (==) known unknown)

entry same (n: i64) : bool =
  let vs = tabulate n (\i -> i32.i64 ((i * 7919) % 13) - 6)
  let fs = map (> 2) vs
  let gs = map2 (\f v -> !f && v < -1) fs vs
  let rs = ranks fs
  let ss = ranks gs
  let reversed = map (\i -> n - 1 - i) (iota n)
  let compacted = map2 (\f r -> if f then r - 1 else -1) fs rs
  let parted = map3 (\f r i -> if f then r - 1 else n - 1 - (i - r)) fs rs (iota n)
  let three =
    map5 (\f g r s i -> if f then r - 1 else if g then total fs + s - 1 else n - 1 - (i - r - s))
         fs gs rs ss (iota n)
  let rotated = map (\i -> (i + 5) % n) (iota n)
  let evens = map (* 2) (iota n)
  let odds = map (\i -> i * 2 + 1) (iota n)
  in agrees n (iota n) vs
     && agrees n reversed vs
     && agrees n compacted vs
     && agrees (total fs) compacted vs
     && agrees n parted vs
     && agrees n three vs
     && agrees n rotated vs
     && agrees n (map (\i -> i - 1) (iota n)) vs
     && agrees (n + 1) (iota n) vs
     && agrees (n + 1) (map (+ 1) (iota n)) vs
     && agrees (2 * n) odds vs
     && agrees (if n == 0 then 3 else n) (iota n) vs
     && agree (2 * n) evens odds vs
     && agree n evens odds vs
     && agree n reversed reversed vs
     && agree (2 * n) (iota n) (map (+ n) (iota n)) vs
     && agree n parted compacted vs
     && agree (n + 1) (iota n) (map (+ 1) (iota n)) vs
