-- An array would contain functions.
--
-- Elements of arrays and type arguments of most functions must not be functions. A type parameter `'^t` may stand for a function type, and cannot be an element type.
--
-- Fix: put the functions in a tuple or record, or apply them before building the array.

def main (x: i32): i32 =
  let fs = [\(y: i32) -> y + 1, \(y: i32) -> y * 2]
  in fs[0] x
