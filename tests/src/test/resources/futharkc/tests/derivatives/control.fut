-- Branches, loops of any length, matches, and calls.
-- ==
-- entry: branches
-- input { 2.0 [1.0, 2.0] true } output { 4.0 [0.0, 0.0] }
-- input { 2.0 [1.0, 2.0] false } output { 3.0 [2.0, 2.0] }

-- ==
-- entry: power
-- input { 0i64 3.0 } output { 1.0 0.0 0.0 }
-- input { 1i64 3.0 } output { 3.0 1.0 1.0 }
-- input { 4i64 3.0 } output { 81.0 108.0 108.0 }

-- ==
-- entry: search
-- input { 1.5 } output { 17.0859375 79.734375 79.734375 79.734375 }

-- ==
-- entry: recursion
-- input { 5i64 2.0 } output { 80.0 80.0 }

-- ==
-- entry: overwriting
-- input { [2.0, 3.0, 5.0] } output { [29.0, 14.0, 8.0] [24.0, 12.0, 8.0] }

entry branches (x: f64) (ys: [2]f64) (c: bool) =
  vjp (\(a, bs) -> if c then a * a else a * (bs[0] + bs[1])) (x, ys) 1

def raise (n: i64) (x: f64) = loop a = 1 for _i < n do a * x
entry power n x = (raise n x, jvp (raise n) x 1, vjp (raise n) x 1)

def grow (x: f64) = (loop (a, i) = (x, 0i32) while a < 10 do (a * x * x, i + 1)).0

def growBounded (x: f64) =
  (#[bound(9)] loop (a, i) = (x, 0i32) while a < 10 do (a * x * x, i + 1)).0
entry search x = (grow x, jvp grow x 1, vjp grow x 1, vjp growBounded x 1)

def recurse (n: i64) (x: f64) : f64 = if n == 0 then 1 else x * recurse (n - 1) x
entry recursion n x = (jvp (recurse n) x 1, vjp (recurse n) x 1)

def running [n] (xs: [n]f64) =
  loop ys = copy xs for i < n - 1 do ys with [i + 1] = ys[i] * xs[i + 1] + ys[i]
entry overwriting [n] (xs: [n]f64) =
  (vjp running xs (replicate n 1), vjp (\v -> (running v)[n - 1]) xs 1)
