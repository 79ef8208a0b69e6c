-- An existential size is not the size of an array.
--
-- `?[n].t` says that values of type `t` have some size `n`. The type `t` must contain an array of size `n`, from which `n` is found.
--
-- Fix: remove the size, or use it in an array type.

def evens: ?[n].i64 -> ?[n].i64 = \x -> 2 * x
