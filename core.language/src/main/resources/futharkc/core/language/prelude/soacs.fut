-- | Second-order array combinators, the constructs that run in parallel.

-- | Apply a function to every element.
def map 'a 'x [n] (f: a -> x) (as: [n]a) : *[n]x = intrinsics.map f as

-- | The same as `map`.
def map1 'a 'x [n] (f: a -> x) (as: [n]a) : *[n]x = intrinsics.map f as

-- | Apply a function to corresponding elements of two arrays.
def map2 'a 'b 'x [n] (f: a -> b -> x) (as: [n]a) (bs: [n]b) : *[n]x =
  intrinsics.map (\(a, b) -> f a b) (intrinsics.zip as bs)

-- | Apply a function to corresponding elements of three arrays.
def map3 'a 'b 'c 'x [n] (f: a -> b -> c -> x) (as: [n]a) (bs: [n]b) (cs: [n]c) : *[n]x =
  intrinsics.map (\(a, b, c) -> f a b c) (intrinsics.zip3 as bs cs)

-- | Apply a function to corresponding elements of four arrays.
def map4 'a 'b 'c 'd 'x [n]
    (f: a -> b -> c -> d -> x) (as: [n]a) (bs: [n]b) (cs: [n]c) (ds: [n]d) : *[n]x =
  intrinsics.map (\(a, b, c, d) -> f a b c d) (intrinsics.zip4 as bs cs ds)

-- | Apply a function to corresponding elements of five arrays.
def map5 'a 'b 'c 'd 'e 'x [n]
    (f: a -> b -> c -> d -> e -> x) (as: [n]a) (bs: [n]b) (cs: [n]c) (ds: [n]d) (es: [n]e)
    : *[n]x =
  intrinsics.map (\(a, b, c, d, e) -> f a b c d e) (intrinsics.zip5 as bs cs ds es)

-- | Combine all elements with an associative operator that has `ne` as its neutral element.
def reduce 'a [n] (op: a -> a -> a) (ne: a) (as: [n]a) : a = intrinsics.reduce op ne as

-- | A `reduce` with a commutative operator, which may combine the elements in any order.
def reduce_comm 'a [n] (op: a -> a -> a) (ne: a) (as: [n]a) : a = intrinsics.reduce_comm op ne as

-- | The inclusive prefix reductions: element `i` combines the elements up to and including `i`.
def scan 'a [n] (op: a -> a -> a) (ne: a) (as: [n]a) : *[n]a = intrinsics.scan op ne as

-- | The exclusive prefix reductions: element `i` combines `ne` and the elements before `i`.
def exscan 'a [n] (op: a -> a -> a) (ne: a) (as: [n]a) : *[n]a =
  -- The input of the scan is shifted, not its result, so that the scan is a single pass.
  intrinsics.scan op ne (intrinsics.map (\i -> if i == 0 then ne else #[unsafe] as[i - 1]) (0..<n))

-- | Test whether the predicate holds for every element.
def all 'a [n] (p: a -> bool) (as: [n]a) : bool =
  intrinsics.reduce_comm intrinsics.logand_bool true (intrinsics.map p as)

-- | Test whether the predicate holds for some element.
def any 'a [n] (p: a -> bool) (as: [n]a) : bool =
  intrinsics.reduce_comm intrinsics.logor_bool false (intrinsics.map p as)

-- | Combine each value into the element of `dest` at the value's index.  The operator must be
-- associative and commutative.  Values with an index out of bounds are ignored.
def reduce_by_index 'a [k] [n]
    (dest: *[k]a) (op: a -> a -> a) (ne: a) (is: [n]i64) (as: [n]a) : *[k]a =
  intrinsics.hist_1d dest op ne is as

-- | `reduce_by_index` with two-dimensional indices.
def reduce_by_index_2d 'a [k] [m] [n]
    (dest: *[k][m]a) (op: a -> a -> a) (ne: a) (is: [n](i64, i64)) (as: [n]a) : *[k][m]a =
  intrinsics.hist_2d dest op ne is as

-- | `reduce_by_index` with three-dimensional indices.
def reduce_by_index_3d 'a [k] [m] [l] [n]
    (dest: *[k][m][l]a) (op: a -> a -> a) (ne: a) (is: [n](i64, i64, i64)) (as: [n]a)
    : *[k][m][l]a =
  intrinsics.hist_3d dest op ne is as

-- | A histogram of `k` bins, all initially the neutral element.
def hist 'a [n] (op: a -> a -> a) (ne: a) (k: i64) (is: [n]i64) (as: [n]a) : *[k]a =
  intrinsics.hist_1d (intrinsics.replicate k ne) op ne is as

-- | Write each value to the element of `dest` at the value's index.  Values with an index out of
-- bounds are ignored.  If several values have the same index, any one of them is written.
def scatter 'a [k] [n] (dest: *[k]a) (is: [n]i64) (vs: [n]a) : *[k]a =
  intrinsics.scatter_1d dest is vs

-- | `scatter` with two-dimensional indices.
def scatter_2d 'a [k] [m] [n] (dest: *[k][m]a) (is: [n](i64, i64)) (vs: [n]a) : *[k][m]a =
  intrinsics.scatter_2d dest is vs

-- | `scatter` with three-dimensional indices.
def scatter_3d 'a [k] [m] [l] [n]
    (dest: *[k][m][l]a) (is: [n](i64, i64, i64)) (vs: [n]a) : *[k][m][l]a =
  intrinsics.scatter_3d dest is vs

-- | An array of `k` copies of `x`, into which the values are then written as by `scatter`.
def spread 'a [n] (k: i64) (x: a) (is: [n]i64) (vs: [n]a) : *[k]a =
  intrinsics.scatter_1d (intrinsics.replicate k x) is vs

-- The number of flags that are true up to and including each element.
local def ranks [n] (flags: [n]bool) : *[n]i64 =
  intrinsics.scan intrinsics.add_i64 0 (intrinsics.map intrinsics.conv_bool_i64 flags)

-- The number of flags that are true, the last element of `ranks`.
local def total [n] (rs: [n]i64) : i64 = if n == 0 then 0 else #[unsafe] rs[n - 1]

-- | The elements that satisfy the predicate, in the original order.
def filter 'a [n] (p: a -> bool) (as: [n]a) : *[]a =
  let flags = intrinsics.map p as
  let rs = ranks flags
  let is = map2 (\f r -> if f then r - 1 else -1) flags rs
  let kept = intrinsics.scatter_1d (intrinsics.scratch as) is as
  in #[unsafe] kept[:total rs]

-- | The elements that satisfy the predicate and the other elements, both in the original order.
def partition 'a [n] (p: a -> bool) (as: [n]a) : ?[k].([k]a, [n - k]a) =
  -- The other elements are written backwards from the end of the array, so that their positions do
  -- not depend on the number of selected elements.  The slice in the result reverses them.
  let flags = intrinsics.map p as
  let rs = ranks flags
  let is = map3 (\f r i -> if f then r - 1 else n - 1 - (i - r)) flags rs (0..<n)
  let parts = intrinsics.scatter_1d (intrinsics.scratch as) is as
  let k = total rs
  in #[unsafe] (parts[:k], parts[k:][::-1])

-- | The elements that satisfy the first predicate, the remaining elements that satisfy the second
-- predicate, and all other elements, each in the original order.
def partition2 'a [n] (p: a -> bool) (q: a -> bool) (as: [n]a)
    : ?[k][l].([k]a, [l]a, [n - k - l]a) =
  -- The first and last results are written as in `partition`, the middle result to its own array.
  let classes = intrinsics.map (\a -> let f = p a in (f, !f && q a)) as
  let ranks =
    intrinsics.scan (\(a, b) (c, d) -> (a + c, b + d)) (0, 0)
      (intrinsics.map (\(f, g) -> (intrinsics.conv_bool_i64 f, intrinsics.conv_bool_i64 g)) classes)
  let outer =
    map3 (\(f, g) (r, s) i -> if f then r - 1 else if g then -1 else n - 1 - (i - r - s))
         classes ranks (0..<n)
  let middle = map2 (\(_, g) (_, s) -> if g then s - 1 else -1) classes ranks
  let ends = intrinsics.scatter_1d (intrinsics.scratch as) outer as
  let mids = intrinsics.scatter_1d (intrinsics.scratch as) middle as
  let (k, l) = if n == 0 then (0, 0) else #[unsafe] ranks[n - 1]
  in #[unsafe] (ends[:k], mids[:l], ends[k + l:][::-1] :> [n - k - l]a)

-- | Apply a function whose first results differ in size, and concatenate them.  The result has the
-- size of each first result (the *shape*), the *flags* (true at the first element of each first
-- result), the index of the first element of each first result (the *offsets*), the concatenation
-- itself, and the array of the second results.
def flatmap 'a 'b 'c [n]
    (f: a -> ?[k].([k]b, c)) (as: [n]a) : ?[m].([n]i64, [m]bool, [n]i64, [m]b, [n]c) =
  intrinsics.flatmap f as

-- | A `flatmap` without second results.
def flatmap' 'a 'b [n]
    (f: a -> ?[k].[k]b) (as: [n]a) : ?[m].([n]i64, [m]bool, [n]i64, [m]b) =
  let (shape, flags, offsets, data, _) = intrinsics.flatmap (\a -> (f a, ())) as
  in (shape, flags, offsets, data)
