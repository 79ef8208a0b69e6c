-- | Automatic differentiation.
--
-- A *tangent* is a direction in the space of a function's argument; a *cotangent* weighs the
-- components of its result.  Forward mode needs one evaluation for each component of the argument,
-- reverse mode one for each component of the result.  Use forward mode if the argument has fewer
-- components, reverse mode if the result has fewer.

-- | Forward mode: the result for `x`, and its directional derivative along `dx`.
def jvp2 'a 'b (f: a -> b) (x: a) (dx: a) : (b, b) = intrinsics.jvp2 f x dx

-- | Reverse mode: the result for `x`, and the gradient of the result weighted by `dy`.
def vjp2 'a 'b (f: a -> b) (x: a) (dy: b) : (b, a) = intrinsics.vjp2 f x dy

-- | `jvp2` for several tangents at a time.
def jmp2 'a 'b [n] (f: a -> b) (x: a) (dxs: [n]a) : (b, [n]b) = intrinsics.jmp2 f x dxs

-- | `vjp2` for several cotangents at a time.
def mjp2 'a 'b [n] (f: a -> b) (x: a) (dys: [n]b) : (b, [n]a) = intrinsics.mjp2 f x dys

-- | The derivative of `jvp2` without the function's result.
def jvp 'a 'b (f: a -> b) (x: a) (dx: a) : b = (jvp2 f x dx).1

-- | The derivative of `vjp2` without the function's result.
def vjp 'a 'b (f: a -> b) (x: a) (dy: b) : a = (vjp2 f x dy).1

-- | The derivative of `jmp2` without the function's result.
def jmp 'a 'b [n] (f: a -> b) (x: a) (dxs: [n]a) : [n]b = (jmp2 f x dxs).1

-- | The derivative of `mjp2` without the function's result.
def mjp 'a 'b [n] (f: a -> b) (x: a) (dys: [n]b) : [n]a = (mjp2 f x dys).1

-- | Apply `f` to `x`, with `f'` as the reverse-mode derivative of `f`.  Besides its result, `f`
-- returns a tape; `f'` receives the tape and the cotangent of the result.  The derivative treats free
-- variables of `f` as constants, so `f` must receive every variable through `x`.
def with_vjp_tape 'a 'b 'c (f: a -> (c, b)) (f': (c, b) -> a) (x: a) : b =
  intrinsics.with_vjp f f' x

-- | A `with_vjp_tape` whose tape is the result.
def with_vjp 'a 'b (f: a -> b) (f': (res: b) -> (adj: b) -> a) (x: a) : b =
  intrinsics.with_vjp (\v -> let y = f v in (y, y)) (\(y, dy) -> f' y dy) x
