-- How values are kept for the way back does not matter for what comes out.
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
  in (d == vjp (mined n) x 1, d == vjp (minedTwice n) x 1, f64.abs (d - vjp (kept n) x 1) < 1e-9)
