-- Breadth-first search: exactly the edges of the frontier. Segmented scans find them from seeds,
-- which are written at the first edge of each node. Eleven writes for each level.
import "graph"

def bfs [n] [e] (g: graph [n] [e]) (source: i64) : [n]i32 =
  let cost = replicate n (-1i32) with [source] = 0
  let mask = replicate n false with [source] = true
  let visited = replicate n false with [source] = true
  let updating = replicate n false
  let (cost, _, _, _, _) =
    loop (cost, mask, visited, updating, go) = (cost, mask, visited, updating, true)
    while go do
      let frontier = filter (\v -> mask[v]) (iota n)
      let counts = map (\v -> g.counts[v]) frontier
      let offsets = exclusive_scan counts
      let total = i64.sum counts
      -- Nodes without edges have no place of their own.
      let places = map2 (\o c -> if c > 0 then o else -1) offsets counts
      let mask = scatter mask frontier (map (const false) frontier)
      let flags = scatter (replicate total false) places (map (const true) frontier)
      let firsts = scatter (replicate total 1) places (map (\v -> g.starts[v]) frontier)
      let seeds = scatter (replicate total 0) places (map (\v -> cost[v] + 1) frontier)
      let which = segmented_scan (+) 0 flags firsts
      let costs = segmented_scan (+) 0 flags seeds
      let targets = map (\k -> let u = g.edges[k] in if visited[u] then -1 else u) which
      let cost = scatter cost targets costs
      let updating = scatter updating targets (map (const true) targets)
      let updated = filter (\v -> updating[v]) (iota n)
      let mask = scatter mask updated (map (const true) updated)
      let visited = scatter visited updated (map (const true) updated)
      let updating = scatter updating updated (map (const false) updated)
      in (cost, mask, visited, updating, length updated > 0)
  in cost
