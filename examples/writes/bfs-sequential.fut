-- Breadth-first search with a queue, one node after the other.
import "graph"

def bfs [n] [e] (g: graph [n] [e]) (source: i64) : [n]i32 =
  let cost = replicate n (-1i32) with [source] = 0
  let queue = replicate n 0i64 with [0] = source
  let (cost, _, _, _) =
    loop (cost, queue, first, last) = (cost, queue, 0i64, 1i64)
    while first < last do
      let v = queue[first]
      let (cost, queue, last) =
        loop (cost, queue, last) for j < g.counts[v] do
          let u = g.edges[g.starts[v] + j]
          in if cost[u] >= 0
             then (cost, queue, last)
             else (cost with [u] = cost[v] + 1, queue with [last] = u, last + 1)
      in (cost, queue, first + 1, last)
  in cost
