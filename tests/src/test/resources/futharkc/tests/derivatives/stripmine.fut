-- How values are kept for the way back does not matter for what comes out, except for rounding: sines of the host and of a device differ in
-- their last bits.
-- ==
-- input { 10i64 1.5 } output { true true true }
def step (x: f64) (a: f64) = f64.sin (a * x) + a / 2

def plain (n: i64) x = loop a = x for _i < n do step x a
def mined (n: i64) x = #[stripmine(3)] loop a = x for _i < n do step x a
def minedTwice (n: i64) x = #[stripmine(2)] loop a = x for _i < n do step x a

def kept (n: i64) x =
  let as = loop #[true_dep] as = replicate (n + 1) x for i < n do as with [i + 1] = step x as[i]
  in as[n]

def main (n: i64) (x: f64) =
  let d = vjp (plain n) x 1
  let isSame (e: f64) = f64.abs (d - e) < 1e-9
  in (isSame (vjp (mined n) x 1), isSame (vjp (minedTwice n) x 1), isSame (vjp (kept n) x 1))
