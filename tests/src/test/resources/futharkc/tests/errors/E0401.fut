-- Two types do not match.
--
-- An expression has another type than its context needs. The message shows both types. Futhark converts no numbers implicitly.
--
-- Fix: change the expression, or convert the value, for example with `f64.i32`.

def main (n: i32) (x: f64): f64 = x * n
