-- Several adjoints of what changes arrays in place: each takes the changes back.
-- ==
-- entry: loops
-- input { [[1.0, 2.0], [3.0, 4.0]] [[1.0, 0.0], [0.0, 1.0]] } output { true }

-- ==
-- entry: scatters
-- input { [1.0, 2.0, 3.0] [[1.0, 0.0, 0.0], [0.0, 1.0, 1.0]] } output { true }

-- ==
-- entry: updates
-- input { [1.0, 2.0, 3.0] [1.0, 3.0] } output { true }

-- ==
-- entry: undone
-- input { [1.0, 2.0, 3.0] } output { true }

-- ==
-- entry: unrolled
-- input { [1.0, 2.0, 3.0] } output { true }

entry loops [n] [m] (xss: [n][m]f64) (seeds: [n][m]f64) =
  let f xss =
    transpose (map (\xs -> loop ys = copy xs for i < m do ys with [i] = ys[i] * ys[(i + 1) % m]) xss)
    |> map f64.product
  let one s = vjp f xss (map f64.sum (transpose s))
  let both = mjp f xss [map f64.sum (transpose seeds), map f64.sum (transpose seeds)]
  in and (map2 (==) (flatten both[0]) (flatten (one seeds)))
     && and (map2 (==) (flatten both[1]) (flatten (one seeds)))

entry scatters [n] (xs: [n]f64) (seeds: [2][n]f64) =
  let f xs =
    let yss = map (\x -> scatter (map (* x) xs) (map (\i -> if i % 3 == 2 then -1 else n - 1 - i) (iota n)) xs) xs
    in map f64.product (transpose yss)
  in and (map2 (\s g -> and (map2 (==) g (vjp f xs s))) seeds (mjp f xs seeds))

def changed [n] (xs: [n]f64) =
  let ys = map f64.sin xs
  let a = ys[0] * ys[1]
  let ys = ys with [0] = a
  let b = ys[0] * ys[n - 1] * ys[n - 1]
  let ys = ys with [n - 1] = b * a
  in f64.product ys + a * b

entry updates [n] (xs: [n]f64) (seeds: []f64) =
  and (map2 (\s g -> and (map2 (==) g (vjp changed xs s))) seeds (mjp changed xs seeds))

entry unrolled [n] (xs: [n]f64) =
  let gs = #[unroll] mjp changed xs [1, 3]
  in and (map2 (==) gs[0] (vjp changed xs 1)) && and (map2 (==) gs[1] (vjp changed xs 3))

-- What is read of the array is not computed again, and so is needed as it was before the update.
entry undone [n] (xs: [n]f64) =
  let f (xs: [n]f64) =
    let ys = scan (+) 0 (map (\x -> x * x) xs)
    let p = f64.sum (map (\i -> ys[i] * ys[(i + 1) % n]) (iota n))
    let ys = ys with [1] = p
    in f64.sum (map (\y -> y * y) ys)
  in and (map2 (==) (vjp f xs 1) (tabulate n (\i -> jvp f xs (replicate n 0 with [i] = 1))))
