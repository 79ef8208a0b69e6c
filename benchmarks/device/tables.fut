-- A library of reductions by key and of hash tables, over modules of keys, and its checks. The outer dimension of [10][10000]
-- flattens loops whose arrays differ in size among rows, which makes large programs: a benchmark of compilers.
-- shape: [10][10000]i64
module type key = {
  type key
  type salt
  val salt: i64 -> salt
  val hash: salt -> key -> u64
  val equal: key -> key -> bool
  val nowhere: key
}

def mixed (x: u64): u64 =
  let x = (x ^ (x >> 33)) * 0xff51afd7ed558ccd
  let x = (x ^ (x >> 29)) * 0xc4ceb9fe1a85ec53
  in x ^ (x >> 32)

module i64_key: key with key = i64 = {
  type key = i64
  type salt = (u64, u64)
  def salt (i: i64): salt = (mixed (u64.i64 i) | 1, mixed (u64.i64 i + 77))
  def hash ((a, b): salt) (k: key) = mixed (a * u64.i64 k + b)
  def equal (a: key) (b: key) = a == b
  def nowhere = i64.lowest
}

module pair_key (A: key) (B: key): key with key = (A.key, B.key) = {
  type key = (A.key, B.key)
  type salt = (A.salt, B.salt)
  def salt (i: i64): salt = (A.salt (2 * i), B.salt (2 * i + 1))
  def hash ((s, t): salt) ((a, b): key) = mixed (A.hash s a + 31 * B.hash t b)
  def equal ((a, b): key) ((c, d): key) = A.equal a c && B.equal b d
  def nowhere = (A.nowhere, B.nowhere)
}

module by_key (K: key) = {
  def slot (s: K.salt) (size: i64) (k: K.key) = i64.u64 (K.hash s k % u64.i64 (i64.max 1 size))

  -- Each round hashes the remaining keys. The smallest index in a slot owns it; the keys equal to the owner's are reduced, the others
  -- remain for the next round, which has another hash function.
  def reduce [n] 'v (op: v -> v -> v) (none: v) (keys: [n]K.key) (values: [n]v): [](K.key, v) =
    let (_, _, _, found, ks, vs) =
      loop (round, keys, values, found, ks, vs) = (0i64, keys, values, 0i64, replicate n K.nowhere, replicate n none)
      while length keys > 0 do
        let m = length keys
        let keys = keys :> [m]K.key
        let values = values :> [m]v
        let size = i64.max 512 (m + m / 3)
        let slots = map (slot (K.salt round) size) keys
        let owners = hist i64.min m size slots (iota m)
        let owner = map (\i -> owners[i]) slots
        let same = map2 (\i k -> keys[i] `K.equal` k) owner keys
        let sums = hist op none size (map2 (\b i -> if b then i else -1) same slots) values
        let first = map2 (==) owner (iota m)
        let at = scan (+) 0 (map i64.bool first)
        let new = if m == 0 then 0 else last at
        let to = map2 (\b i -> if b then found + i - 1 else -1) first at
        let ks = scatter ks to keys
        let vs = scatter vs to (map2 (\b i -> if b then sums[i] else none) first slots)
        let (keys, values) = unzip (map (\(_, k, v) -> (k, v)) (filter (\(b, _, _) -> !b) (zip3 same keys values)))
        in (round + 1, keys, values, found + new, ks, vs)
    in take found (zip ks vs)

  def distinct [n] (keys: [n]K.key): []K.key = map (.0) (reduce (\_ _ -> ()) () keys (replicate n ()))
}

-- A table of two levels: a slot of the first has a range of the second, whose size is the square of its keys.
module table (K: key) = {
  module rounds = by_key K
  type~ table 'v = ?[n][m].{first: [n](i64, i64, i64), keys: [m]K.key, values: [m]v}

  def make [n] 'v (default: v) (entries: [n](K.key, v)): table v =
    let (keys, values) = unzip (rounds.reduce (\_ b -> b) default (map (.0) entries) (map (.1) entries))
    let size = i64.max 1 (length keys)
    let slots = map (rounds.slot (K.salt 1) size) keys
    let counts = hist (+) 0 size slots (map (\_ -> 1) slots)
    let sizes = map (\c -> c * c) counts
    let ends = scan (+) 0 sizes
    let starts = map2 (-) ends sizes
    let places salts = map2 (\k s -> starts[s] + rounds.slot (K.salt salts[s]) sizes[s] k) keys slots
    let clashes salts =
      let used = hist (+) 0 (last ends) (places salts) (map (\_ -> 1i64) slots)
      in hist (||) false size slots (map (\p -> used[p] > 1) (places salts))
    let (salts, _) =
      loop (salts, bad) = (replicate size 2i64, clashes (replicate size 2)) while or bad do
        let salts = map2 (\s b -> if b then s + 1 else s) salts bad
        in (salts, clashes salts)
    let m = last ends
    in {first = zip3 salts starts sizes,
        keys = scatter (replicate m K.nowhere) (places salts) keys,
        values = scatter (replicate m default) (places salts) values}

  def find 'v (default: v) (t: table v) (k: K.key): (bool, v) =
    let (salt, start, size) = t.first[rounds.slot (K.salt 1) (length t.first) k]
    in if size == 0 then (false, default)
       else let i = start + rounds.slot (K.salt salt) size k
            in if t.keys[i] `K.equal` k then (true, t.values[i]) else (false, default)
}

def sorted [n] (xs: [n]i64): [n]i64 =
  loop xs for bit < 8 do
    let digit x = (x >> bit) & 1
    let zero = map (\x -> 1 - digit x) xs
    let zeros = scan (+) 0 zero
    let ones = scan (+) 0 (map digit xs)
    let many = if n == 0 then 0 else last zeros
    in scatter (copy xs) (map3 (\z a b -> if z == 1 then a - 1 else many + b - 1) zero zeros ones) xs

module counted = by_key i64_key
module pairs = by_key (pair_key i64_key i64_key)
module numbers = table i64_key
module of_pairs = table (pair_key i64_key i64_key)

-- ==
-- entry: reduced_by_key distinct_keys distinct_pairs
-- random input { [10][10000]i64 } output { true }
-- random input { [100][5]i64 } output { true }
-- random input { [1][0]i64 } output { true }
entry reduced_by_key [n][m] (xss: [n][m]i64): bool =
  all (\xs ->
         let xs = map (% 100) xs
         let sums = counted.reduce (+) 0 xs (map (\_ -> 1) xs)
         let wanted = hist (+) 0 100 xs (map (\_ -> 1) xs)
         in all (\(k, c) -> wanted[k] == c) sums && reduce (+) 0 (map (.1) sums) == m)
      xss
entry distinct_keys [n][m] (xss: [n][m]i64): bool =
  all (\xs ->
         let xs = map (% 100) xs
         let wanted = sorted xs
         let firsts = map (\i -> i == 0 || wanted[i] != wanted[i - 1]) (iota m)
         let found = sorted (counted.distinct xs)
         let other = map (.1) (filter (.0) (zip firsts wanted))
         let c = length found
         in c == length other && and (map2 (==) (found :> [c]i64) (other :> [c]i64)))
      xss
entry distinct_pairs [n][m] (xss: [n][m]i64): bool =
  all (\xs ->
         let ps = map (\x -> (x % 7, x % 11)) xs
         in length (pairs.distinct ps) == length (counted.distinct (map (\(a, b) -> 11 * a + b) ps)))
      xss

-- ==
-- entry: found found_pairs absent
-- input { 100000i64 } output { true }
-- input { 0i64 } output { true }
entry found (n: i64): bool =
  let t = numbers.make (-1) (map (\i -> (i * i, i)) (iota n))
  in all (\i -> numbers.find (-1) t (i * i) == (true, i)) (iota n)
entry found_pairs (n: i64): bool =
  let t = of_pairs.make (-1) (map (\i -> ((i % 1000, i / 1000), i)) (iota n))
  in all (\i -> of_pairs.find (-1) t (i % 1000, i / 1000) == (true, i)) (iota n)
entry absent (n: i64): bool =
  let t = numbers.make (-1) (map (\i -> (2 * i, i)) (iota n))
  in all (\i -> !(numbers.find (-1) t (2 * i + 1)).0) (iota n)
