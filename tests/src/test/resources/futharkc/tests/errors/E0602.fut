-- An array is consumed that belongs to somebody else.
--
-- A function may only consume parameters of unique type `*t`, and arrays that it made itself.
--
-- Fix: make the type of the parameter unique, or `copy` the array.

def set_first [n] (xs: [n]i32): [n]i32 = xs with [0] = 1
