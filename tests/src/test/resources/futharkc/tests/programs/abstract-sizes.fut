-- Loops over values of abstract types whose sizes change from one iteration to the next, and
-- functions of any type applied to such values.

module type sequences = {
  type~ list
  val nil: () -> list
  val snoc: list -> i64 -> list
  val len: list -> i64
  val get: list -> []i64

  type vec [n]
  val empty: vec [0]
  val more [n]: vec [n] -> vec [n + 1]
  val elements [n]: vec [n] -> [n]i64

  type odd [n]
  val start: odd [0]
  val next [n]: odd [n] -> odd [n + 1]
  val parts [n]: odd [n] -> []i64

  type~ chain
  val end: () -> chain
  val cons: i64 -> chain -> chain
  val sum: chain -> i64
}

module sequences: sequences = {
  type~ list = []i64
  def nil () : list = []
  def snoc (l: list) (x: i64) : list = l ++ [x]
  def len (l: list) = length l
  def get (l: list) = l

  type vec [n] = {a: [n]i64, b: [n]bool}
  def empty : vec [0] = {a = [], b = []}
  def more [n] (v: vec [n]) : vec [n + 1] =
    {a = (v.a ++ [10 * n]) :> [n + 1]i64, b = (v.b ++ [false]) :> [n + 1]bool}
  def elements [n] (v: vec [n]) = v.a

  type odd [n] = ([n]bool, [2 * n + 1]i64)
  def start : odd [0] = ([], [7] :> [2 * 0 + 1]i64)
  def next [n] ((bs, xs): odd [n]) : odd [n + 1] =
    ((bs ++ [true]) :> [n + 1]bool, (xs ++ [n, n]) :> [2 * (n + 1) + 1]i64)
  def parts [n] ((_, xs): odd [n]) = xs :> []i64

  type~ chain = #end | #cons ([]i64)
  def end () : chain = #end
  def cons x (c: chain) : chain = match c case #end -> #cons [x] case #cons xs -> #cons ([x] ++ xs)
  def sum (c: chain) : i64 = match c case #end -> 0 case #cons xs -> i64.sum xs + 1000 * length xs
}

def iterate_any '~a (n: i64) (f: a -> a) (x: a) : a = loop x for _i < n do f x

def twice_any '~a (n: i64) (f: a -> a) (x: a) : a =
  if n == 0 then x else iterate_any n f (iterate_any n f x)

open sequences

-- ==
-- entry: for_
-- input { 3i64 } output { [0i64, 1i64, 2i64] }
-- input { 0i64 } output { empty([0]i64) }
entry for_ (n: i64) = get (loop s = nil () for i < n do snoc s i)

-- ==
-- entry: while_
-- input { 3i64 } output { [0i64, 1i64, 2i64] }
entry while_ (n: i64) = get (loop s = nil () while len s < n do snoc s (len s))

-- ==
-- entry: for_in
-- input { [4i64, 5i64] } output { [4i64, 4i64, 5i64, 5i64] }
entry for_in [n] (xs: [n]i64) = get (loop s = nil () for x in xs do snoc (snoc s x) x)

-- ==
-- entry: pair
-- input { 4i64 } output { [0i64, 1i64, 2i64, 3i64] 6i64 }
entry pair (n: i64) =
  let (s, k) = loop (s, k) = (nil (), 0) for i < n do (snoc s i, k + len s)
  in (get s, k)

-- ==
-- entry: nested
-- input { 4i64 } output { [0i64, 0i64, 1i64, 0i64, 1i64, 2i64] }
entry nested (n: i64) = get (loop s = nil () for i < n do loop s for j < i do snoc s j)

-- ==
-- entry: branch
-- input { 4i64 } output { [1i64, 0i64, 2i64] }
entry branch (n: i64) =
  let s = if n > 2 then snoc (nil ()) 1 else nil ()
  in get (loop s for i < n do if i % 2 == 0 then snoc s i else s)

-- ==
-- entry: sized
-- input { 4i64 } output { [0i64, 10i64, 20i64, 30i64] }
entry sized (n: i64) = elements (loop v = empty for _i < n do more v)

-- ==
-- entry: computed
-- input { 2i64 } output { [7i64, 0i64, 0i64, 1i64, 1i64] }
entry computed (n: i64) = parts (loop o = start for _i < n do next o)

-- ==
-- entry: sums
-- input { 4i64 } output { 4006i64 }
entry sums (n: i64) = sum (loop c = end () for i < n do cons i c)

-- ==
-- entry: polymorphic
-- input { 3i64 } output { [7i64, 7i64, 7i64] }
entry polymorphic (n: i64) = get (iterate_any n (\s -> snoc s 7) (nil ()))

-- ==
-- entry: polymorphic_twice
-- input { 2i64 } output { [7i64, 7i64, 7i64, 7i64] }
entry polymorphic_twice (n: i64) = get (twice_any n (\s -> snoc s 7) (nil ()))

-- ==
-- entry: in_a_map
-- input { 3i64 } output { [0i64, 1i64, 2i64] }
entry in_a_map (n: i64) = map (\k -> len (loop s = nil () for i < k do snoc s i)) (iota n)
