import "a/b"
open import "../c"
local import "d"
local open { def x = 1 }

-- | Documented.
type t = i32
type~ sized [n] 'a = [n](a, t) -> {a: i32, 0: f32}
type^ fun 'a 'b = (x: a) -> *b -> ?[n][m].[n][m]b
type sum = #a i32 [2]i64 | #b | #c (#d | #e t) {x: f32}

module type S = {
  -- | Of the specification.
  type t
  type~ u [n] 'a
  type^ v = t -> t
  #[attr] val f [n] 'a : (xs: [n]a) -> u [n] a
  val (+^) : t -> t -> t
  val && : t
  module M : S with t [n] = [n]i32 with u = t -> f32
  include R
}

module type F = (X: S) -> S -> (Y: { type t }) -> S with t = X.t

module M (X: S) (Y: S with t = i32) : F = \(Z: S) : (S with t = f32) -> N X { open Y } (import "e") : S
module N = import "f" : R

#[noinline] #[inline]
entry main [n] (xs: [n]t) : M.sum -> N.sized [n] (M.t) = (xs[0] + 1)

local -- | Inside local.
#[attr]
def x = 1
