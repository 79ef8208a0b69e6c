-- Breadth-first search: like the segmented one, but the source node of each edge is computed once.
-- Every level visits all edges. Three writes before the levels, four writes for each level.
import "graph"

def bfs [n] [e] (g: graph [n] [e]) (source: i64) : [n]i32 =
  let offsets = exclusive_scan g.counts
  let places = map2 (\o c -> if c > 0 then o else -1) offsets g.counts
  let flags = scatter (replicate e false) places (map (const true) places)
  let owners = scatter (replicate e 0) places (iota n)
  let firsts = scatter (replicate e 1) places g.starts
  let owner = segmented_scan (+) 0 flags owners
  let which = segmented_scan (+) 0 flags firsts
  let cost = replicate n (-1i32) with [source] = 0
  let mask = replicate n false with [source] = true
  let visited = replicate n false with [source] = true
  let (cost, _, _, _) =
    loop (cost, mask, visited, go) = (cost, mask, visited, true)
    while go do
      let target v k =
        let u = g.edges[k]
        in if mask[v] && !visited[u] then u else -1
      let targets = map2 target owner which
      let costs = map (\v -> cost[v] + 1) owner
      let done = map2 (\m v -> if m then v else -1) mask (iota n)
      let mask = scatter mask done (map (const false) done)
      let cost = scatter cost targets costs
      let mask = scatter mask targets (map (const true) targets)
      let visited = scatter visited targets (map (const true) targets)
      in (cost, mask, visited, any (>= 0) targets)
  in cost
