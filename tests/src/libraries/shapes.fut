-- | Entry points with all kinds of types.

-- | A point with a name.
type point = {x: f64, name: i32}

type shape = #circle f64 | #square f64 f64 | #none

module counters
  : {
    type counter
    val new : i32 -> counter
    val get : counter -> i32
  } = {
  type counter = #start i32 | #pair i32 i32
  def new (x: i32) : counter = if x < 0 then #start x else #pair x 3
  def get (c: counter) = match c case #start x -> x case #pair x y -> x + y
}

type counter = counters.counter

-- | Scales an array by `a`.
-- @param stands for itself here.
entry scale (a: f64) (xs: []f64) = map (* a) xs

entry centre (ps: []point) : point = {x = f64.sum (map (.x) ps), name = 3}

entry area (s: shape) : f64 =
  match s
  case #circle r -> r * r
  case #square a b -> a * b
  case #none -> 0

entry shapes (n: i64) : []shape =
  tabulate n (\i -> if i % 2 == 0 then #circle (f64.i64 i) else #square 1 2)

entry divmod (a: i32) (b: i32) = (a / b, a % b)
entry new_counter (x: i32) : counter = counters.new x
entry counter_value (c: counter) = counters.get c
entry transposed [n][m] (xss: [n][m]i32) = transpose xss
entry incremented (xs: *[]i32) = xs with [0] = xs[0] + 1
entry half (x: f16) (xs: []f16) = (f16.sum xs + x, xs)
entry class (i: u8) (bs: []bool) = if bs[0] then i + 200 else i
entry grid (n: i64) : [][]point = tabulate_2d n 2 (\i j -> {x = f64.i64 (i * j), name = 1})
entry flags (n: i64) = tabulate n (\i -> i % 2 == 0)
entry same (xs: []i32) = xs
entry close (xs: []i32) = xs[10]
