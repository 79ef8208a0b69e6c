-- Boundary cases of kernels: sizes around those of thread blocks, tiles and grids. Each entry point checks against a known
-- result. Run 'futharkc test --backend=cuda checklist.fut', or with opencl.

-- An operator that is not commutative, and fails for operands that are not adjacent in order.
type part = (i64, i64, bool)
def join ((a, b, x): part) ((c, d, y): part): part =
  if b < a then (c, d, x && y) else if d < c then (a, b, x && y) else (a, d, x && y && b + 1 == c)
def none: part = (0, -1, true)
def one (i: i64): part = (i, i, true)
def all_of [n] (xs: [n]bool) = reduce (&&) true xs
def sizes = [0, 1, 2, 31, 32, 33, 255, 256, 257, 511, 513, 1023, 1024, 1025, 2047, 2048, 2049, 3071, 3073, 4095, 4096, 4097, 5887, 5888,
             5889, 6143, 6144, 6145, 7679, 7680, 7681, 8191, 8192, 8193, 16383, 16385, 65535, 65537, 262143, 262145, 1000003i64]
def sums (i: i64) = i / 7 * 21 + (i % 7) * (i % 7 + 1) / 2

-- Scans of sizes around those of tiles.
-- ==
-- entry: scans scans_in_order
-- input { } output { true }
entry scans: bool =
  loop ok = true for n in sizes do
    ok && all_of (map2 (\i x -> x == i32.i64 (sums i)) (iota n) (#[opaque] (scan (+) 0 (map (\i -> i32.i64 (i % 7)) (iota n)))))
entry scans_in_order: bool =
  loop ok = true for n in sizes do
    ok && all_of (map2 (\i (a, b, x) -> a == 0 && b == i && x) (iota n) (#[opaque] (scan join none (map one (iota n)))))

-- Reductions with operators that are not commutative, also of empty arrays.
-- ==
-- entry: reductions_in_order
-- input { } output { true }
entry reductions_in_order: bool =
  loop ok = true for n in sizes do
    let (a, b, x) = reduce join none (map one (iota n))
    in ok && x && (if n == 0 then b < a else a == 0 && b == n - 1)

-- Segments that end at tile boundaries or cross them, of the size of a thread block or half of it, and empty; few and many.
-- ==
-- entry: segments
-- input { 1i64 } output { true }
-- input { 7i64 } output { true }
-- input { 1000i64 } output { true }
-- input { 1023i64 } output { true }
-- input { 1024i64 } output { true }
-- input { 1025i64 } output { true }
-- input { 1055i64 } output { true }
-- input { 1057i64 } output { true }
-- input { 2112i64 } output { true }
entry segments (n: i64): bool =
  loop ok = true for m in [0, 1, 2, 3, 31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 256, 257, 1023, 1025, 5000i64] do
    let scans = #[opaque] (tabulate n (\i -> scan (+) 0 (map (\j -> i32.i64 ((i + j) % 7)) (iota m))))
    let right = tabulate_2d n m (\i j -> scans[i, j] == i32.i64 (sums (i + j) - (if i == 0 then 0 else sums (i - 1))))
    let rows = #[opaque] (tabulate n (\i -> reduce join none (map (\j -> one (i + j)) (iota m))))
    let columns = #[opaque] (map (reduce (+) 0) (transpose (tabulate_2d m n (\j i -> i * j))))
    in ok && all_of (map all_of right)
       && all_of (map2 (\i (a, b, x) -> x && (if m == 0 then b < a else a == i && b == i + m - 1)) (iota n) rows)
       && all_of (map2 (\i s -> s == i * (m * (m - 1) / 2)) (iota n) columns)

-- Histograms with bins out of range, and the update method of each type.
-- ==
-- entry: bins
-- input { 1i64 1000003i64 } output { true }
-- input { 3i64 10i64 } output { true }
-- input { 1000i64 1000003i64 } output { true }
-- input { 100000i64 1000003i64 } output { true }
-- input { 10000000i64 1000003i64 } output { true }
entry bins (k: i64) (n: i64): bool =
  -- Bin b has the elements i with i mod (k + 2) = b + 1.
  let bin (i: i64) = i % (k + 2) - 1
  let count (b: i64) = if n <= b + 1 then 0 else (n - b - 2) / (k + 2) + 1
  let is = map bin (iota n)
  let floats = #[opaque] (hist (+) 0f32 k is (map (const 1) (iota n)))
  let largest = #[opaque] (hist f32.max (-1) k is (map (\i -> f32.i64 (i / (k + 2))) (iota n)))
  let bytes = #[opaque] (hist (+) 0i8 k is (map (\i -> i8.i64 (bin i % 5 - 3)) (iota n)))
  let shorts = #[opaque] (hist i16.min 0 k is (map (\i -> i16.i64 (-(bin i % 100))) (iota n)))
  let halves = #[opaque] (hist f16.max (-1) k is (map (\i -> f16.i64 (bin i % 100)) (iota n)))
  let (firsts, lasts) =
    unzip (#[opaque] (hist (\(a, b) (c, d) -> (i64.min a c, i64.max b d)) (i64.highest, i64.lowest) k is (zip (iota n) (iota n))))
  let (best, at) =
    unzip (#[opaque] (hist (\(a, i) (b, j) -> if a > b || a == b && i < j then (a, i) else (b, j)) (-1i32, i64.highest) k is
                           (map (\i -> (i32.i64 (bin i % 3), i)) (iota n))))
  in all_of (map (\b -> let c = count b in
       floats[b] == f32.i64 c
       && largest[b] == f32.i64 (c - 1)
       && bytes[b] == i8.i64 (c * (b % 5 - 3))
       && shorts[b] == (if c == 0 then 0 else i16.i64 (-(b % 100)))
       && halves[b] == (if c == 0 then -1 else f16.i64 (b % 100))
       && (if c == 0 then firsts[b] > lasts[b] && at[b] == i64.highest
           else firsts[b] == b + 1 && lasts[b] == b + 1 + (c - 1) * (k + 2) && best[b] == i32.i64 (b % 3) && at[b] == b + 1)) (iota k))

-- Transposes of all shapes, of several matrices and of many.
-- ==
-- entry: transposes
-- input { 1i64 1i64 1000i64 } output { true }
-- input { 1i64 1000i64 1i64 } output { true }
-- input { 1i64 3i64 100000i64 } output { true }
-- input { 1i64 100000i64 3i64 } output { true }
-- input { 1i64 8i64 40001i64 } output { true }
-- input { 1i64 40001i64 10i64 } output { true }
-- input { 1i64 31i64 33i64 } output { true }
-- input { 1i64 1025i64 999i64 } output { true }
-- input { 5i64 100i64 7i64 } output { true }
-- input { 70000i64 3i64 5i64 } output { true }
-- input { 66000i64 17i64 2i64 } output { true }
-- input { 0i64 3i64 5i64 } output { true }
-- input { 3i64 0i64 5i64 } output { true }
entry transposes (k: i64) (n: i64) (m: i64): bool =
  let at (c: i64) (i: i64) (j: i64) = (c * n + i) * m + j
  let words = #[opaque] (tabulate_3d k n m (\c i j -> i32.i64 (at c i j)))
  let bytes = #[opaque] (tabulate_3d k n m (\c i j -> i8.i64 (at c i j)))
  let doubles = #[opaque] (tabulate_3d k n m (\c i j -> at c i j))
  let wt = #[opaque] (copy (map transpose words))
  let bt = #[opaque] (copy (map transpose bytes))
  let dt = #[opaque] (copy (map transpose doubles))
  in all_of (flatten_3d (tabulate_3d k m n (\c j i ->
       wt[c, j, i] == i32.i64 (at c i j) && bt[c, j, i] == i8.i64 (at c i j) && dt[c, j, i] == at c i j)))

-- Elements of one and two bytes; threads access several at once if they are aligned to a word.
-- ==
-- entry: small_elements
-- input { 1048576i64 0i64 } output { true }
-- input { 1048583i64 3i64 } output { true }
-- input { 2097159i64 8i64 } output { true }
-- input { 3000001i64 2i64 } output { true }
-- input { 7i64 4i64 } output { true }
entry small_elements (n: i64) (k: i64): bool =
  let bytes = #[opaque] (tabulate n i8.i64)
  let shorts = #[opaque] (tabulate n (\i -> u16.i64 (i * 3)))
  let next = #[opaque] (map (+ 1) bytes[k:])
  let sums = #[opaque] (map2 (+) (bytes[k:] :> [n - k]i8) (bytes[:n - k] :> [n - k]i8))
  let even = #[opaque] (map (\b -> b % 2 == 0) bytes)
  let thirds = #[opaque] (map (/ 3) shorts[k:])
  let halves = #[opaque] (map (* 2) (#[opaque] (tabulate n (\i -> f16.i64 (i % 100)))))
  let over = #[opaque] (map (+ 5) (#[opaque] (copy bytes)))
  in all_of (tabulate n (\i -> even[i] == (i8.i64 i % 2 == 0) && halves[i] == f16.i64 (i % 100 * 2) && over[i] == i8.i64 (i + 5)))
     && all_of (tabulate (n - k) (\i -> next[i] == i8.i64 (i + k + 1) && sums[i] == i8.i64 (i + i + k)
                                        && thirds[i] == u16.i64 ((i + k) * 3) / 3))
-- ==
-- entry: small_elements_turned
-- input { 1024i64 1024i64 } output { true }
-- input { 999i64 1025i64 } output { true }
-- input { 1000i64 1030i64 } output { true }
-- input { 1030i64 1000i64 } output { true }
-- input { 64i64 20000i64 } output { true }
entry small_elements_turned (n: i64) (m: i64): bool =
  let xss = #[opaque] (tabulate_2d n m (\i j -> i32.i64 (i * m + j)))
  let bytes = #[opaque] (copy (transpose (map (map i8.i32) xss)))
  let (shorts, signs) = #[opaque] (unzip (map unzip (transpose (map (map (\x -> (u16.i32 x, x % 3 == 0))) xss))))
  in all_of (flatten (tabulate_2d m n (\j i -> let x = i32.i64 (i * m + j)
                                               in bytes[j, i] == i8.i32 x && shorts[j, i] == u16.i32 x && signs[j, i] == (x % 3 == 0))))

-- Copies with negative and zero strides, and a permutation of eight dimensions.
-- ==
-- entry: copies
-- input { 1000i64 1001i64 } output { true }
-- input { 1i64 1i64 } output { true }
-- input { 3i64 70000i64 } output { true }
entry copies (n: i64) (m: i64): bool =
  let xss = #[opaque] (tabulate_2d n m (\i j -> i32.i64 (i * m + j)))
  let back = #[opaque] (copy (reverse (map reverse xss)))
  let turned = #[opaque] (copy (transpose (map reverse xss)))
  let every = #[opaque] (copy xss[::-2, ::3])
  let same = #[opaque] (copy (replicate n xss[n / 2]))
  in all_of (flatten (tabulate_2d n m (\i j -> back[i, j] == xss[n - 1 - i, m - 1 - j] && same[i, j] == xss[n / 2, j]
                                               && turned[j, i] == xss[i, m - 1 - j])))
     && all_of (flatten (map2 (\i -> map2 (\j x -> x == xss[n - 1 - 2 * i, 3 * j]) (indices every[i])) (indices every) every))
-- ==
-- entry: eight_dimensions
-- input { } output { true }
entry eight_dimensions: bool =
  let xs = #[opaque] (tabulate 30240 i32.i64)
  let low (ys: [252]i32) = unflatten_4d (ys :> [6 * 7 * 2 * 3]i32)
  let high = unflatten_4d (unflatten (xs :> [(2 * 3 * 4 * 5) * 252]i32))
  let a = map (map (map (map low))) high
  let b = #[opaque] (copy (map transpose (map (map (map (map transpose))) (transpose a))))
  -- The permutation makes the first dimension the third, and exchanges the fifth and sixth.
  in all_of (tabulate 30240 (\i ->
       let v = i % 3 let u = i / 3 % 2 let t = i / 6 % 7 let s = i / 42 % 6
       let r = i / 252 % 5 let q = i / 1260 % 4 let p = i / 5040 % 3 let o = i / 15120
       in b[p, q, o, r, t, s, u, v] == xs[i]))

-- A thousand launches of one program: counters and tickets must be reset for each.
-- ==
-- entry: thousand
-- input { 100000i64 } output { true }
entry thousand (n: i64): bool =
  loop ok = true for r < 1000 do
    let s = scan (+) 0 (map (\i -> i32.i64 ((i + r) % 7)) (iota n))
    in ok && s[n - 1] == i32.i64 (sums (n - 1 + r) - (if r == 0 then 0 else sums (r - 1)))

-- More elements than 2^32 in one kernel.
-- ==
-- entry: many
-- input { 4294967299i64 } output { 2147483649i64 }
entry many (n: i64): i64 = reduce (+) 0 (map (\i -> i & 1) (iota n))
