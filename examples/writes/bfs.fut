-- All variants of breadth-first search: a test of equal costs, and benchmarks.
-- ==
-- entry: same
-- input { 1i64 0i64 1i64 1u32 } output { true }
-- input { 1i64 3i64 4i64 1u32 } output { true }
-- input { 10i64 0i64 3i64 5u32 } output { true }
-- input { 100i64 0i64 2i64 7u32 } output { true }
-- input { 512i64 5i64 200i64 3u32 } output { true }
-- input { 4096i64 0i64 10i64 1u32 } output { true }
-- input { 1000i64 40i64 41i64 9u32 } output { true }
import "graph"

module sequential = import "bfs-sequential"
module padding = import "bfs-padding"
module segmented = import "bfs-segmented"
module alternate = import "bfs-alternate"

entry same (n: i64) (lo: i64) (hi: i64) (seed: u32) : bool =
  let g = random_graph n lo hi seed
  let expected = sequential.bfs g 0
  let equal = and <-< map2 (==) expected
  in equal (padding.bfs g 0) && equal (segmented.bfs g 0) && equal (alternate.bfs g 0)

entry graph (n: i64) (lo: i64) (hi: i64) (seed: u32) : ([]i64, []i64, []i64) =
  let {starts, counts, edges} = random_graph n lo hi seed
  in (starts, counts, edges)

-- For timings: `futharkc bench bfs.fut`.
-- ==
-- entry: with_padding with_segments with_alternate
-- "4096nodes" notest script input { graph 4096i64 1i64 10i64 1u32 }
-- "65536nodes" notest script input { graph 65536i64 1i64 10i64 1u32 }
-- "1M" notest script input { graph 1000000i64 1i64 10i64 1u32 }
-- "H100K" notest script input { graph 100000i64 5i64 201i64 1u32 }
-- "E1K" notest script input { graph 1000i64 1000i64 1001i64 1u32 }
-- "HH5K" notest script input { graph 5000i64 5i64 5001i64 1u32 }
entry with_padding [n] [e] (starts: [n]i64) (counts: [n]i64) (edges: [e]i64) : []i32 =
  padding.bfs {starts, counts, edges} 0

entry with_segments [n] [e] (starts: [n]i64) (counts: [n]i64) (edges: [e]i64) : []i32 =
  segmented.bfs {starts, counts, edges} 0

entry with_alternate [n] [e] (starts: [n]i64) (counts: [n]i64) (edges: [e]i64) : []i32 =
  alternate.bfs {starts, counts, edges} 0
