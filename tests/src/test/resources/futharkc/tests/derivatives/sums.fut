-- Sum types, whose derivatives have the constructor of what they are derivatives of, and adjoints of arrays from branches.
-- ==
-- entry: through
-- input { 3.0 } output { 27.0 27.0 }
-- input { -2.0 } output { -8.0 -8.0 }

-- ==
-- entry: constructors
-- input { 3.0 } output { 6.0 0.0 0.0 }
-- input { -2.0 } output { 0.0 16.0 4.0 }

-- ==
-- entry: branches
-- input { [1.0, 2.0] true } output { [6.0, 6.0] [1.0, 1.0] }
-- input { [1.0, 2.0] false } output { [1.0, 1.0] [6.0, 6.0] }

type shape = #cube f64 | #pair f64 f64

def make (x: f64) : shape = if x > 0 then #cube x else #pair x (2 * x)

def size (s: shape) = match s case #cube a -> a * a * a case #pair a b -> a * b

entry through (x: f64) = (vjp (\x -> size (make x)) x 1, jvp (\x -> size (make x)) x 1)

entry constructors (x: f64) =
  match vjp (\(s: shape) -> match s case #cube a -> a * a case #pair a b -> a * a * b) (make x) 1
  case #cube a -> (a, 0, 0)
  case #pair a b -> (0, a, b)

entry branches (xs: [2]f64) (c: bool) =
  let f (v: [2]f64) (w: [2]f64) =
    let (p, q) = if c then (v, w) else (w, v)
    in f64.sum (map (* 6) p) + f64.sum q
  in vjp (\(v, w) -> f v w) (xs, xs) 1
