-- | A program with every construct that
-- the formatter lays out.

import   "other"
open import "other"
local   open m

type t = (i32,i64)   -- A comment behind a type.
type^ fn 'a [n] = [n]a->
  a -> ([n]i32)
type shape = #circle f32 | #square f32 f32
  | #points [](f32,f32)
type  r = {x:i32,
    -- The vertical part.
    y : i32 }

-- | The documentation of a value.
-- Another line:
--
--     with = code

#[noinline] #[sequential(outer,inner)]
let f [n] 't (x: t) (y:[n]i32) : (t, [n]i32) = (x , y)
entry g
  [n] [m]
  (xs: [n][m]i32) (ys: [m]i32) = map (\row ->
    reduce (+) 0 row
    ) xs

def (x: i32) +++ (y: i32) = x + y
def x `plus` y = x+y

def numbers = [0x1F, 0b1010, 1_000, 1.5e3f32, 0rXIV, 'a', true,
  "text",
  -1 ]
def table = [1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,-18]
def rows = [[1,2,3,4],[5,6,7,8],
            [9,10,11,12],[13,14,15,16]]

def branches x =
  if x
   then 1 else
  if !x then 2
  else match (x, 1)
       case (true,_) -> 3
       case (#a 1 y, -2) ->
         -- The second case.
         4
       case {p, q = (z: i32)} -> 5

def bindings xs =
  let (a,b) = xs in
  let [k] ys: [k]i32 =
    f b
  let ys[0] = 1
  let h 'a (z: a): a =
    z
  -- Before an update.
  let q = a with x.y = 3 with [1,2:3]
      = 4
  in (assert (a>0) #[unroll]
      h q : i32) :> i32

def loops n =
  loop (i,acc) = (0,0)
  while i<n do (i+1,acc+i)

def more n = loop x for i < n do loop y = x for z in [1,2,3] do y+z

def sections = ((+1), (1+), (`f` 2), (2 `f`), (.x.y), (.[1,2]), (+), (f64.*))
def ranges = (0..<10, 1..3...9, 10..>0, xs[:2], xs[1:], xs[::-1], m.(a + b), ???)
def long =
  xs |> map (+1)
     |> filter (>2) |> reduce
        (+) 0

module type s = {
  type t type~ u 'a
  -- | A value.
  val f 'a [n]: [n]a -> t
  val + : t -> t->t
  module inner: { val x: i32 } with t = i32
  include s with t = i32 with u 'a =
    a
}

module m (P: s) (Q: { val y : i32 }): s with t = i32 = {
  open P
  def z = Q.y
  -- The end of the module.
}
module functor = \(x: s): (s) -> m x { def y = 1 }

-- ==
-- entry: g
-- input { [[1]] [2] }
-- output { [1] }
