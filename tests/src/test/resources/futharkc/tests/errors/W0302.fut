-- A name in its own definition means an earlier definition.
--
-- A definition may call itself. A recursive call would be ill-typed here, so that the name means the earlier definition, which is `length` of the prelude here.
--
-- Fix: use another name.

def length [n] (xs: [n]i32) (extra: i64): i64 = length xs + extra
