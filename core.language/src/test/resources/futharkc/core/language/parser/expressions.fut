-- | Every form of expression. This is the file's comment.

-- | The first declaration's.
-- It has two lines.
def literals = (1, 2i8, 0xFFu8, 0b1010_1010, 0rXIVi64, 1_000, 3.5, 1f32, 2.5e-3f64, 0x1.8p3, 'a', '\n', true, "a \"b\" \x41\&7", ???)

def applications f x = f x (-1) [1, 2] {a = x, b = 2, x} (f x, 1,) () x.0.1.a M.y M.N.(a + b)

def arrays a i = (a[i], a[i, 0], a[1:], a[:2], a[:], a[::-1], a[i:i + 2], a[:i:2], a[1::2], a[0][i], f a[i] [i])

def operators a b = a + b * c ** d - -e |> f <| g <| h || !x && y == z & w << 1 `op` 3 M.+ 4 +^ 5

def ranges n = (0..<n, 0...n - 1, n..>0, 0..2..<n, n - 1..n - 2...0)

def updates r = r with a.b = 1 with [0] = 2 |> f with [1, 2].x = if a then b else c : t

def sections = ((+), (-), (+ 1), (1 -), (`f` x), (x `f`), (.a.b), (.[0, 1:]), (.a[1].b), (M.+), (a * b +), (<| x))

def lambdas = map (\x -> x + 1) (filter2 f \(x, _) {y} : i32 -> \z -> z) : []i32 :> [n]i32

def control x =
  if x then 1 else if y then let a = 2 in a else
  loop acc = 0 for i < 10 do
    loop (a, b) for x in xs do
      loop y : i32 = acc while y < 3 do
        match (a, b)
        case (-1, #some x) -> x
        case (0x1F, #none) : t -> match y case _ -> 2 case {a, b = 3, c: f32} -> 4
        case #two (a, b) 'c' -> ???

def lets [n] 'a '~b '^c (xs: *[n]a) (+) : ?[m].[m]a =
  let [k] [l] (ys: [k][l]i32) = f xs
  let g [m] 't (x: [m]t) y : t = x[0]
  let h 'a x = x
  let xs[0, 1:2].f = g ys in
  let r.a[1] = 2
  let #[attr] _ = #[unsafe] #[flattening(only_inner, 3, x())] assert (x > 0 && y) r
  in - f x - -x

def a `plus` b = a + b
def (a: i32) +^ (b: i32): i32 = a - b
def (-.) x = x
