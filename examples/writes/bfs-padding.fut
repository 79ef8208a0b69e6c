-- Breadth-first search: all edges of the frontier at once. The edge lists are padded to the longest
-- one. Five writes for each level.
import "graph"

def bfs [n] [e] (g: graph [n] [e]) (source: i64) : [n]i32 =
  let most = i64.maximum g.counts
  let cost = replicate n (-1i32) with [source] = 0
  let mask = replicate n false with [source] = true
  let visited = replicate n false with [source] = true
  let (cost, _, _, _) =
    loop (cost, mask, visited, go) = (cost, mask, visited, true)
    while go do
      let frontier = filter (\v -> mask[v]) (iota n)
      let target v j =
        if j < g.counts[v]
        then let u = g.edges[g.starts[v] + j]
             in if visited[u] then -1 else u
        else -1
      let targets = flatten (map (\v -> tabulate most (target v)) frontier)
      let costs = flatten (map (\v -> replicate most (cost[v] + 1)) frontier)
      let mask = scatter mask frontier (map (const false) frontier)
      let cost = scatter cost targets costs
      let mask = scatter mask targets (map (const true) targets)
      let visited = scatter visited targets (map (const true) targets)
      in (cost, mask, visited, any (>= 0) targets)
  in cost
