-- A program with most language features, which the launcher compiles when it creates its start-up archive. The archive
-- then contains the compiler classes for these features. The results of the program have no meaning.

type point = {x: f32, y: f32}

type shape
  = #circle point f32
  | #square point f32
  | #nothing

type~ cloud [n] = {points: [n]point, tags: []i32}

module type ordered = {
  type t
  val leq : t -> t -> bool
  val none : t
}

module ints : ordered with t = i64 = {
  type t = i64
  def leq (a: t) (b: t) = a <= b
  def none = i64.lowest
}

module last (o: ordered) = {
  def last [n] (xs: [n]o.t) : o.t =
    reduce_comm (\a b -> if a `o.leq` b then b else a) o.none xs

  def places [n] (xs: [n]o.t) : [n]i64 =
    map (\x -> i64.sum (map (\y -> i64.bool (y `o.leq` x)) xs)) xs
}

module lasts = last ints

local def pi : f32 = 3.14159

def area (s: shape) : f32 =
  match s
  case #circle _ r -> pi * r ** 2
  case #square _ a -> a * a
  case #nothing -> 0

def move (d: point) ({x, y}: point) : point = {x = x + d.x, y = y + d.y}

def filtered [n] 'a (p: a -> bool) (xs: [n]a) : []a =
  let keep = map p xs
  let at = scan (+) 0 (map i64.bool keep)
  let count = if n == 0 then 0 else at[n - 1]
  in if count == 0
     then []
     else scatter (replicate count xs[0]) (map2 (\k i -> if k then i - 1 else -1) keep at) xs

def blurred [n][m] (image: [n][m]f32) : [n][m]f32 =
  let pixel i j = if i < 0 || j < 0 || i >= n || j >= m then 0 else #[unsafe] image[i, j]
  in tabulate_2d n m (\i j -> (pixel (i - 1) j + pixel (i + 1) j + pixel i (j - 1) + pixel i (j + 1)) / 4)

def product [n][m][p] (a: [n][m]f32) (b: [m][p]f32) : [n][p]f32 =
  map (\row -> map (\column -> f32.sum (map2 (*) row column)) (transpose b)) a

def sorted [n] (xs: [n]i64) : [n]i64 =
  let (ys, _) =
    loop (ys, bit) = (copy xs, 0i32)
    while bit < 8 do
      let ones = map (\y -> (y >> i64.i32 bit) & 1) ys
      let zeros = map (1 -) ones
      let low = scan (+) 0 zeros
      let high = map (+ i64.sum zeros) (scan (+) 0 ones)
      let to = map3 (\o l h -> if o == 1 then h - 1 else l - 1) ones low high
      in (scatter (replicate n 0) to ys, bit + 1)
  in ys

entry main [n] (k: i64) (xs: [n]f32) (image: *[n][n]f32) : ([]f32, [n][n]f32, []i64, f32) =
  let d = {x = 1, y = f32.i64 k} : point
  let cloud : cloud [n] = {points = map (\x -> move d {x, y = 0}) xs, tags = map i32.f32 xs}
  let image = loop image for i < k do
      let image = blurred image
      let row = map2 (+) image[i % n] xs
      in image with [i % n] = row
  let shapes = map2 (\(p: point) t -> if t % 2 == 0 then #circle p 1 else #square p p.x) cloud.points
                                      (cloud.tags :> [n]i32)
  let areas = map area (shapes ++ [#nothing])
  let counts = hist (+) 0 16 (map (\t -> i64.i32 t % 16) cloud.tags) (map (const 1i64) cloud.tags)
  let (small, large) = partition (<= f32.i64 k) areas
  let both = concat (map (* 2) small) (map (+ 1) (filtered (> 0) large))
  let table = if k > 3 then map (map (* 2)) image else product image (transpose image)
  let best = lasts.last counts
  let walk = loop acc = replicate (n + 1) 0f32 for i in iota n do
      let acc[i + 1] = acc[i] + f32.sqrt (f32.abs xs[i]) |> f32.max 0
      in acc
  in ( both ++ walk[1:] ++ reverse areas
     , table
     , sorted (lasts.places counts) ++ [best, i64.f32 walk[n]]
     , reduce f32.max f32.lowest (flatten table) + (f32.exp <-< f32.sin) (reduce (+) 0 (scan (+) 0 xs)))

entry twice [n] (xs: [n]point) : ([n]f32, [n]f32) =
  unzip (map (\p -> (p.x * 2, p.y / 2)) xs)
