-- An array is used after it was consumed.
--
-- An in-place update, or a call with a parameter of unique type `*t`, consumes an array. The memory of the array may then hold other values, so that neither the array nor any alias may be used afterwards.
--
-- Fix: use the result of the update, or `copy` the array before it is consumed.

def main [n] (xs: *[n]i32): i32 =
  let ys = xs with [0] = 1
  in ys[0] + xs[0]
