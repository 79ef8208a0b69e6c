-- Graphs in compressed form: each node's first edge and number of edges, in one array of destinations.
type graph [n] [e] = {starts: [n]i64, counts: [n]i64, edges: [e]i64}

-- A hash of the bits, for pseudo-random numbers.
local def mix (x: u32) : u32 =
  let x = (x ^ (x >> 16)) * 0x7feb352d
  let x = (x ^ (x >> 15)) * 0x846ca68b
  in x ^ (x >> 16)

-- From `lo` to below `hi`.
local def between (lo: i64) (hi: i64) (seed: u32) (i: i64) : i64 =
  lo + i64.u32 (mix (seed + u32.i64 i)) %% i64.max 1 (hi - lo)

-- A scan that begins anew at each flag.
def segmented_scan [n] 't (op: t -> t -> t) (ne: t) (flags: [n]bool) (xs: [n]t) : [n]t =
  let pick (f, x) (g, y) = (f || g, if g then y else op x y)
  in (unzip (scan pick (false, ne) (zip flags xs))).1

def exclusive_scan [n] (xs: [n]i64) : [n]i64 =
  map2 (-) (scan (+) 0 xs) xs

-- A graph of `n` nodes that have from `lo` to below `hi` edges.
def random_graph (n: i64) (lo: i64) (hi: i64) (seed: u32) : ?[e].graph [n] [e] =
  let counts = tabulate n (between lo hi seed)
  let starts = exclusive_scan counts
  let e = i64.sum counts
  let edges = tabulate e (between 0 n (seed + 77777))
  in {starts, counts, edges}
