-- Calls that several devices share, for devices.py.

-- | Numbers in [0, 1) from their indices.
entry numbers (n: i64) : [n]f32 =
  map (\i -> f32.u32 (u32.i64 i * 2654435761u32) * 2.3283064e-10) (iota n)

-- | Points in a cube, with masses.
entry points (n: i64) : ([n][3]f32, [n]f32) =
  let at s i = f32.u32 (u32.i64 (i + s) * 2654435761u32) * 2.3283064e-10
  in ( map (\i -> [at 0 i, at 7919 i, at 104729 i]) (iota n)
     , map (\i -> at 31 i + 0.5) (iota n)
     )

-- | A polynomial of each element: 8 bytes of traffic, 64 operations.
entry series [n] (#[split] xs: [n]f32) : [n]f32 =
  map (\x -> loop y = 0 for _i < 32i32 do y * x + 0.5) xs

-- | A sum of integers, which is the same in each order.
#[combine(add)]
entry fold (#[split] xs: []f32) : i64 = i64.sum (map (\x -> i64.f32 (x * 1024)) xs)

entry add (x: i64) (y: i64) : i64 = x + y

-- | The accelerations of some bodies by all bodies.
entry nbody [n][m] (all: [m][3]f32) (masses: [m]f32) (#[split] bodies: [n][3]f32) : [n][3]f32 =
  let pull (a: [3]f32) (b: [3]f32) (mass: f32) =
    let (x, y, z) = (b[0] - a[0], b[1] - a[1], b[2] - a[2])
    let r = x * x + y * y + z * z + 0.0025
    let s = mass / (r * f32.sqrt r)
    in (s * x, s * y, s * z)
  let plus (a, b, c) (d, e, f) = (a + d, b + e, c + f)
  in map (\a ->
            let (x, y, z) = reduce plus (0, 0, 0) (map2 (pull a) all masses)
            in [x, y, z])
         bodies
