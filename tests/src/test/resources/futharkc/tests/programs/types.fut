-- Records, sums, modules, polymorphism, functions as values. The values are those of version 0.25 of the original compiler.

type p = {x: i64, y: i64}
type~ s = #a | #b i64 | #c {u: i64, v: bool} | #d i64 i64
def ev (t: s): i64 = match t case #a -> 0 case #b x -> x case #c {u, v} -> if v then u else -u case #d x y -> x * y
-- ==
-- entry: c1
-- input { 2i64 } output { 4i64 }
-- input { 5i64 } output { 10i64 }
entry c1 (n: i64) : i64 = ev #a + ev (#b n) + ev (#c {u = n, v = false}) + ev (#d n 2)

-- ==
-- entry: c2
-- input { 2i64 } output { [0i64, 1i64] }
-- input { 5i64 } output { [0i64, 1i64, 2i64, 9i64, 4i64] }
entry c2 (n: i64) : []i64 = map (\i -> ev (if i % 2 == 0 then #b i else #d i i)) (iota n)

-- ==
-- entry: c3
-- input { 2i64 } output { 7i64 2i64 }
-- input { 5i64 } output { 10i64 2i64 }
entry c3 (n: i64) : (i64, i64) = let q: p = {x = n, y = 2} let r = q with x = 5 in (r.x + q.x, r.y)

-- ==
-- entry: c4
-- input { 2i64 } output { [0i64, 2i64] }
-- input { 5i64 } output { [0i64, 2i64, 6i64, 12i64, 20i64] }
entry c4 (n: i64) : []i64 = let qs = map (\i -> {x = i, y = i * i}) (iota n) in map (\(q: p) -> q.x + q.y) qs

-- ==
-- entry: c5
-- input { 2i64 } output { 1i64 }
-- input { 5i64 } output { 4i64 }
entry c5 (n: i64) : i64 = (\{x, y} -> x - y) {y = 1, x = n}

module type mon = { type t val ne: t val op: t -> t -> t }
module addm = { type t = i64 def ne = 0i64 def op (a: i64) b = a + b }
module maxm = { type t = i64 def ne = i64.lowest def op = i64.max }
module fold (m: mon) = { def f (xs: []m.t) = reduce m.op m.ne xs def g [k] (xs: [k]m.t): [k]m.t = scan m.op m.ne xs }
module fa = fold addm
module fm = fold maxm
-- ==
-- entry: c6
-- input { 2i64 } output { 1i64 2i64 }
-- input { 5i64 } output { 10i64 4i64 }
entry c6 (n: i64) : (i64, i64) = (fa.f (iota n), fm.f (map (\x -> (x * 7) % 5) (iota n)))

-- ==
-- entry: c7
-- input { 2i64 } output { [0i64, 1i64] [0i64, 2i64] }
-- input { 5i64 } output { [0i64, 1i64, 3i64, 6i64, 10i64] [0i64, 2i64, 4i64, 4i64, 4i64] }
entry c7 (n: i64) : ([]i64, []i64) = (fa.g (iota n), fm.g (map (\x -> (x * 7) % 5) (iota n)))

module pairm (a: mon) (b: mon) = { type t = (a.t, b.t) def ne = (a.ne, b.ne) def op (x1: a.t, y1: b.t) (x2: a.t, y2: b.t) = (a.op x1 x2, b.op y1 y2) }
module fp = fold (pairm addm maxm)
-- ==
-- entry: c8
-- input { 2i64 } output { 1i64 1i64 }
-- input { 5i64 } output { 10i64 4i64 }
entry c8 (n: i64) : (i64, i64) = fp.f (zip (iota n) (iota n))

module stack : { type~ t val nil : () -> t val push : t -> i64 -> t val size : t -> i64 val all : t -> []i64 } = { type~ t = []i64 def nil () : t = [] def push (s: t) x = s ++ [x] def size (s: t) = length s def all (s: t) : []i64 = s }
-- ==
-- entry: c9
-- input { 2i64 } output { [0i64, 2i64] }
-- input { 5i64 } output { [0i64, 2i64, 4i64, 6i64, 8i64] }
entry c9 (n: i64) : []i64 = stack.all (loop s = stack.nil () for i < n do stack.push s (i * 2))

-- ==
-- entry: c10
-- input { 2i64 } output { 0i64 }
-- input { 5i64 } output { 1i64 }
entry c10 (n: i64) : i64 = stack.size (if n > 3 then stack.push (stack.nil ()) 1 else stack.nil ())

def compose 'a 'b 'c (f: a -> b) (g: b -> c) (x: a) = g (f x)
-- ==
-- entry: c11
-- input { 2i64 } output { [2i64, 4i64] }
-- input { 5i64 } output { [2i64, 4i64, 6i64, 8i64, 10i64] }
entry c11 (n: i64) : []i64 = map (compose (+ 1) (* 2)) (iota n)

def twice 'a (f: a -> a) = f >-> f
def mapi [n] 'a 'b (f: i64 -> a -> b) (xs: [n]a) = map2 f (indices xs) xs
-- ==
-- entry: c13
-- input { 2i64 } output { [0i64, 3i64] }
-- input { 5i64 } output { [0i64, 3i64, 6i64, 9i64, 12i64] }
entry c13 (n: i64) : []i64 = mapi (\i x -> i * x) (replicate n 3)

def pick 'a (c: bool) (x: a) (y: a) = if c then x else y
-- ==
-- entry: c14
-- input { 2i64 } output { 2i64 [3i64, 4i64] }
-- input { 5i64 } output { 1i64 [1i64, 2i64] }
entry c14 (n: i64) : (i64, []i64) = (pick (n > 2) 1 2, pick (n > 2) [1, 2] [3, 4])

-- ==
-- entry: c15
-- input { 2i64 } output { 13i64 }
-- input { 5i64 } output { 28i64 }
entry c15 (n: i64) : i64 = let fs = (\x -> x + n, \x -> x * n) in fs.0 3 + fs.1 4

type opt 'a = #none | #some a
def get 'a (d: a) (o: opt a) = match o case #none -> d case #some x -> x
-- ==
-- entry: c17
-- input { 2i64 } output { 2i64 true }
-- input { 5i64 } output { 5i64 true }
entry c17 (n: i64) : (i64, bool) = (get 0 (if n > 1 then #some n else #none), get true (#none: opt bool))

-- ==
-- entry: c18
-- input { 2i64 } output { 2i64 }
-- input { 5i64 } output { 5i64 }
entry c18 (n: i64) : i64 = match (n, n % 2 == 0) case (0, _) -> 1 case (4, true) -> 44 case (_, false) -> 5 case (k, true) -> k

-- ==
-- entry: c19
-- input { 2i64 } output { 4i64 }
-- input { 5i64 } output { 10i64 }
entry c19 (n: i64) : i64 = match {a = n, b = #some n : opt i64} case {a = 1, b = _} -> 0 case {a, b = #some z} -> a + z case {a, b = #none} -> a

type rec = {inner: {z: i64, w: (i64, bool)}, k: [2]i64}
def sumsq [n] (xs: [n]i64): i64 = let go (acc: i64) (x: i64) = acc + x * x in foldl go 0 xs
-- ==
-- entry: c21
-- input { 2i64 } output { 1i64 }
-- input { 5i64 } output { 30i64 }
entry c21 (n: i64) : i64 = sumsq (iota n)

open fold addm
-- ==
-- entry: c22
-- input { 2i64 } output { 1i64 }
-- input { 5i64 } output { 10i64 }
entry c22 (n: i64) : i64 = f (iota n)

local def hidden = 3i64
-- ==
-- entry: c23
-- input { 2i64 } output { 5i64 }
-- input { 5i64 } output { 8i64 }
entry c23 (n: i64) : i64 = hidden + n

module m1 = { module m2 = { def k = 5i64 } def l = m2.k + 1 }
-- ==
-- entry: c24
-- input { 2i64 } output { 60i64 }
-- input { 5i64 } output { 150i64 }
entry c24 (n: i64) : i64 = m1.m2.k * m1.l * n

def (+^) (a: i64) (b: i64) = a * 10 + b
def (<+>) (a: i64) b = a - b
-- ==
-- entry: c25
-- input { 2i64 } output { 122i64 5i64 }
-- input { 5i64 } output { 125i64 2i64 }
entry c25 (n: i64) : (i64, i64) = (1 +^ 2 +^ n, 10 <+> 3 <+> n)

-- ==
-- entry: c26
-- input { 2i64 } output { -7i64 }
-- input { 5i64 } output { -34i64 }
entry c26 (n: i64) : i64 = n |> (+ 1) |> (\x -> x * x) |> (2 -)

-- ==
-- entry: c27
-- input { 2i64 } output { 9i64 }
-- input { 5i64 } output { 36i64 }
entry c27 (n: i64) : i64 = let x = n let x = x + 1 let x = x * x in x

-- ==
-- entry: c28
-- input { 2i64 } output { 1i64 }
-- input { 5i64 } output { 10i64 }
entry c28 (n: i64) : i64 = i64.sum (map (.x) (map (\i -> {x = i, y = true}) (iota n)))

-- ==
-- entry: c29
-- input { 2i64 } output { [2i64, 2i64] }
-- input { 5i64 } output { [2i64, 2i64, 2i64, 3i64, 4i64] }
entry c29 (n: i64) : []i64 = map (`i64.max` 2) (iota n)

type vec [n] 't = [n]t
def dot [n] (a: vec [n] i64) (b: vec [n] i64) = i64.sum (map2 (*) a b)
-- ==
-- entry: c31
-- input { 2i64 } output { 1i64 }
-- input { 5i64 } output { 30i64 }
entry c31 (n: i64) : i64 = dot (iota n) (iota n)

def rep (n: i64) (x: i64) : [n]i64 = replicate n x
-- ==
-- entry: c32
-- input { 2i64 } output { [3i64, 3i64, 3i64] }
-- input { 5i64 } output { [3i64, 3i64, 3i64, 3i64, 3i64, 3i64] }
entry c32 (n: i64) : []i64 = rep (n + 1) 3

-- ==
-- entry: c33
-- input { 2i64 } output { 2i64 }
-- input { 5i64 } output { 5i64 }
entry c33 (n: i64) : i64 = assert (n > 0) n

-- ==
-- entry: c34
-- input { 2i64 } output { [0i64, 1i64, 2i64] }
-- input { 5i64 } output { [0i64, 1i64, 2i64] }
entry c34 (n: i64) : [3]i64 = (iota n ++ iota 3)[n:n+3] :> [3]i64

def curry 'a 'b 'c (f: (a, b) -> c) (x: a) (y: b) = f (x, y)
-- ==
-- entry: c35
-- input { 2i64 } output { 0i64 }
-- input { 5i64 } output { 3i64 }
entry c35 (n: i64) : i64 = curry (\(a, b) -> a - b) n 2

-- ==
-- entry: c36
-- input { 2i64 } output { [0i64, 2i64] }
-- input { 5i64 } output { [0i64, 2i64, 4i64, 6i64, 8i64] }
entry c36 (n: i64) : []i64 = let (a, b) = (iota n, iota n) in map2 (\x y -> x + y) a b

def pw [n] (xs: [n]f64) = #[sequential] reduce (*) 1 xs
-- ==
-- entry: c37
-- input { 2i64 } output { 2.000000000000000f64 }
-- input { 5i64 } output { 120.000000000000000f64 }
entry c37 (n: i64) : f64 = pw (map f64.i64 (map (+ 1) (iota n)))

-- ==
-- entry: c38
-- input { 2i64 } output { 2i64 4i64 }
-- input { 5i64 } output { 5i64 10i64 }
entry c38 (n: i64) : (i64, i64) = let r = {0 = n, 1 = n * 2} in r

-- ==
-- entry: c39
-- input { 2i64 } output { 3i64 }
-- input { 5i64 } output { 1i64 }
entry c39 (n: i64) : i64 = if n > 2 then (if n > 4 then 1 else 2) else if n == 2 then 3 else 4

-- ==
-- entry: c40
-- input { 2i64 } output { [2i64, 3i64, 4i64] }
-- input { 5i64 } output { [5i64, 6i64, 7i64] }
entry c40 (n: i64) : []i64 = #[unroll] loop xs = replicate 3 n for i < 3 do xs with [i] = xs[i] + i

module type sized = { type~ t val mk: i64 -> t val len: t -> i64 val cat: t -> t -> t }
module sz : sized = { type~ t = {xs: []i64, tag: bool} def mk n = {xs = iota n, tag = n > 2} def len (t: t) = length t.xs + i64.bool t.tag def cat (a: t) (b: t) = {xs = a.xs ++ b.xs, tag = a.tag && b.tag} }
-- ==
-- entry: c41
-- input { 2i64 } output { 7i64 }
-- input { 5i64 } output { 11i64 }
entry c41 (n: i64) : i64 = sz.len (sz.cat (sz.mk n) (sz.mk 5))

-- ==
-- entry: c42
-- input { 2i64 } output { 2i64 }
-- input { 5i64 } output { 11i64 }
entry c42 (n: i64) : i64 = sz.len (loop a = sz.mk 1 for i < n do sz.cat a (sz.mk i))

-- ==
-- entry: c43
-- input { 2i64 } output { [0i64, 1i64] }
-- input { 5i64 } output { [0i64, 1i64, 2i64, 4i64, 5i64] }
entry c43 (n: i64) : []i64 = map (\i -> sz.len (sz.mk i)) (iota n)

-- ==
-- entry: c44
-- input { 2i64 } output { 0i64 }
-- input { 5i64 } output { 6i64 }
entry c44 (n: i64) : i64 = match (if n > 3 then sz.mk n else sz.mk 0) case t -> sz.len t
