-- | Automatic differentiation.
--
-- A *tangent* has the shape of a function's argument and says how that changes; a *cotangent* has
-- the shape of its result and says how much each part of it matters.  Forward mode costs as much
-- for every direction of the argument, reverse mode for every component of the result, so the
-- better one follows from which of them has fewer.

-- | Forward mode: the result for `x`, and how it changes when `x` changes along `dx`.
def jvp2 'a 'b (f: a -> b) (x: a) (dx: a) : (b, b) = intrinsics.jvp2 f x dx

-- | Reverse mode: the result for `x`, and how the part of it that `dy` selects depends on `x`.
def vjp2 'a 'b (f: a -> b) (x: a) (dy: b) : (b, a) = intrinsics.vjp2 f x dy

-- | `jvp2` for several tangents at a time.
def jmp2 'a 'b [n] (f: a -> b) (x: a) (dxs: [n]a) : (b, [n]b) = intrinsics.jmp2 f x dxs

-- | `vjp2` for several cotangents at a time.
def mjp2 'a 'b [n] (f: a -> b) (x: a) (dys: [n]b) : (b, [n]a) = intrinsics.mjp2 f x dys

-- | `jvp2` without the result itself.
def jvp 'a 'b (f: a -> b) (x: a) (dx: a) : b = (jvp2 f x dx).1

-- | `vjp2` without the result itself.
def vjp 'a 'b (f: a -> b) (x: a) (dy: b) : a = (vjp2 f x dy).1

-- | `jmp2` without the result itself.
def jmp 'a 'b [n] (f: a -> b) (x: a) (dxs: [n]a) : [n]b = (jmp2 f x dxs).1

-- | `mjp2` without the result itself.
def mjp 'a 'b [n] (f: a -> b) (x: a) (dys: [n]b) : [n]a = (mjp2 f x dys).1

-- | Apply `f` to `x`, with `f'` in place of what reverse mode would derive from `f`.  Besides its
-- result, `f` returns what `f'` wants to remember; `f'` gets this and the cotangent of the result.
-- Whatever `f` depends on must reach it through `x`: free variables are taken to be constant.
def with_vjp_tape 'a 'b 'c (f: a -> (c, b)) (f': (c, b) -> a) (x: a) : b =
  intrinsics.with_vjp f f' x

-- | `with_vjp_tape` for the common case that `f'` wants to remember the result.
def with_vjp 'a 'b (f: a -> b) (f': (res: b) -> (adj: b) -> a) (x: a) : b =
  intrinsics.with_vjp (\v -> let y = f v in (y, y)) (\(y, dy) -> f' y dy) x
