-- | Tuples, records of sizes, and errors, for tests of calls from Python.

type sized [n] = {values: [n]i64, name: i32}

entry neighbours (x: i32) = (x - 1, x + 1)
entry difference (x: i32, y: i32) = y - x
entry nested (x: i32) = ((x, [x, x]), x * 2)
entry flattened ((x, ys): (i32, [2]i32), z: i32) = [x, ys[0], ys[1], z]
entry counted (n: i64) : sized [n] = {values = iota n, name = 5}
entry added [n] (x: sized [n]) (y: sized [n]) = map2 (+) x.values y.values
entry chosen (xs: []f32) (is: []i32) = map (\i -> xs[i]) is
