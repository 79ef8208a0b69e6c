-- | Products.

-- | The dot product.
entry dot [n] (x: [n]f64) (y: [n]f64) = f64.sum (map2 (*) x y)

-- A type of the same name as in the other program.
type point = {x: f32}

entry origin : point = {x = 0}
entry slow (n: i64) = loop a = 0i64 for i < n do (a * 31 + i) % 1000003
