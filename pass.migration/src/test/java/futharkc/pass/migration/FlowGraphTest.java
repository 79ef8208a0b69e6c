package futharkc.pass.migration;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Cuts of random graphs, with and without cycles, against exhaustive search and against a maximum
 * flow. {@code -Dmigration.graphs=N} sets the number of graphs of each kind.
 */
final class FlowGraphTest {
  private static final int GRAPHS = Integer.getInteger("migration.graphs", 3000);

  /** A graph of which no vertex with a sink has edges. */
  private record Example(int size, boolean[][] edges, BitSet sinks, List<Integer> sources) {
    static Example random(Random random, int least, int most, int mostSources) {
      int n = least + random.nextInt(most - least + 1);
      double density = List.of(0.06, 0.1, 0.16, 0.25).get(random.nextInt(4));
      if (n < 10) {
        density *= 2;
      }
      boolean cycles = random.nextInt(10) < 7;
      BitSet sinks = new BitSet();
      for (int v = 0; v < n; v++) {
        if (random.nextDouble() < List.of(0.1, 0.2, 0.3).get(random.nextInt(3))) {
          sinks.set(v);
        }
      }
      boolean[][] edges = new boolean[n][n];
      for (int a = 0; a < n; a++) {
        for (int b = 0; b < n; b++) {
          boolean may = a != b && (cycles || a < b) && !sinks.get(a);
          edges[a][b] = may && random.nextDouble() < density;
        }
      }
      List<Integer> all = new ArrayList<>();
      for (int v = 0; v < n; v++) {
        all.add(v);
      }
      Collections.shuffle(all, random);
      int count = Math.min(n, 1 + random.nextInt(mostSources));
      return new Example(n, edges, sinks, all.subList(0, count));
    }

    FlowGraph graph() {
      FlowGraph g = new FlowGraph();
      for (int v = 0; v < size; v++) {
        g.vertex();
      }
      for (int a = 0; a < size; a++) {
        for (int b = 0; b < size; b++) {
          if (edges[a][b]) {
            g.edge(a, b);
          }
        }
      }
      sinks.stream().forEach(g::sink);
      sources.forEach(g::source);
      return g;
    }
  }

  /** Vertices on the device, those of them that are read, and sources that stay reads. */
  private record Solution(BitSet device, BitSet read, BitSet stay) {
    int reads() {
      return read.cardinality() + stay.cardinality();
    }
  }

  /**
   * Returns the only solution with the fewest reads and, of these, the fewest vertices on the
   * device, by exhaustive search.
   */
  private static Solution exhaustive(Example e) {
    Solution best = null;
    int count = 0;
    for (long mask = 0; mask < 1L << e.size; mask++) {
      BitSet device = BitSet.valueOf(new long[] {mask});
      BitSet read = new BitSet();
      for (int v = device.nextSetBit(0); v >= 0; v = device.nextSetBit(v + 1)) {
        boolean crosses = e.sinks.get(v);
        for (int w = 0; w < e.size; w++) {
          crosses |= e.edges[v][w] && !device.get(w);
        }
        if (crosses) {
          read.set(v);
        }
      }
      BitSet stay = new BitSet();
      for (int s : e.sources) {
        if (!device.get(s)) {
          stay.set(s);
        }
      }
      Solution now = new Solution(device, read, stay);
      int order =
          best == null
              ? -1
              : 1000 * (now.reads() - best.reads())
                  + now.device.cardinality()
                  - best.device.cardinality();
      if (order < 0) {
        best = now;
        count = 1;
      } else if (order == 0) {
        count++;
      }
    }
    assertEquals(1, count);
    return best;
  }

  /** Returns the same solution by augmenting paths in the graph of split vertices. */
  private static Solution maximumFlow(Example e) {
    int n = e.size;
    int from = 3 * n;
    int to = from + 1;
    List<Map<Integer, Integer>> capacity = new ArrayList<>();
    for (int v = 0; v <= to; v++) {
      capacity.add(new HashMap<>());
    }
    for (int v = 0; v < n; v++) {
      capacity.get(v).put(n + v, 1);
      for (int w = 0; w < n; w++) {
        if (e.edges[v][w]) {
          capacity.get(n + v).put(w, 1000);
        }
      }
      if (e.sinks.get(v)) {
        capacity.get(n + v).put(to, 1000);
      }
    }
    for (int s : e.sources) {
      capacity.get(from).put(2 * n + s, 1);
      capacity.get(2 * n + s).put(s, 1);
    }
    while (true) {
      int[] before = new int[to + 1];
      java.util.Arrays.fill(before, -1);
      before[from] = from;
      ArrayDeque<Integer> work = new ArrayDeque<>(List.of(from));
      while (!work.isEmpty()) {
        int v = work.remove();
        capacity
            .get(v)
            .forEach(
                (w, c) -> {
                  if (c == 0 || before[w] >= 0) {
                    return;
                  }
                  before[w] = v;
                  work.add(w);
                });
      }
      if (before[to] < 0) {
        BitSet device = new BitSet();
        BitSet read = new BitSet();
        BitSet stay = new BitSet();
        for (int v = 0; v < n; v++) {
          if (before[v] >= 0) {
            device.set(v);
          }
          if (before[v] >= 0 && before[n + v] < 0) {
            read.set(v);
          }
        }
        for (int s : e.sources) {
          if (before[s] < 0) {
            stay.set(s);
          }
        }
        return new Solution(device, read, stay);
      }
      for (int w = to; w != from; w = before[w]) {
        capacity.get(before[w]).merge(w, -1, Integer::sum);
        capacity.get(w).merge(before[w], 1, Integer::sum);
      }
    }
  }

  private static void check(Example e, Solution expected, Random random) {
    List<Integer> order = new ArrayList<>(e.sources);
    for (int repeat = 0; repeat < 2; repeat++) {
      Collections.shuffle(order, random);
      FlowGraph g = e.graph();
      long edges = (long) e.sinks.cardinality() + e.sources.size();
      for (boolean[] row : e.edges) {
        for (boolean b : row) {
          if (b) {
            edges++;
          }
        }
      }
      int routes = 0;
      for (int s : order) {
        long before = g.visits();
        if (g.route(s)) {
          routes++;
        }
        assertTrue(g.visits() - before <= 2 * edges + 2, "visits of one search");
      }
      assertEquals(expected.reads(), routes);
      FlowGraph.Cut cut = g.resolve();
      BitSet device = (BitSet) expected.device.clone();
      device.andNot(expected.read);
      BitSet read = (BitSet) expected.read.clone();
      read.or(expected.stay);
      assertEquals(device, cut.device());
      assertEquals(read, cut.read());
    }
  }

  @Test
  void smallGraphsAgainstExhaustiveSearch() {
    Random random = new Random(1);
    for (int i = 0; i < GRAPHS; i++) {
      Example e = Example.random(random, 1, 8, 5);
      check(e, exhaustive(e), random);
    }
  }

  @Test
  void largeGraphsAgainstMaximumFlow() {
    Random random = new Random(2);
    for (int i = 0; i < GRAPHS; i++) {
      Example e = Example.random(random, 6, 30, 12);
      check(e, maximumFlow(e), random);
    }
  }

  @Test
  void longChainsNeedNoDeepStack() {
    FlowGraph g = new FlowGraph();
    int n = 100_000;
    for (int v = 0; v < n; v++) {
      g.vertex();
    }
    for (int v = 1; v < n; v++) {
      g.edge(v - 1, v);
    }
    g.sink(n - 1);
    g.source(0);
    assertTrue(g.route(0));
    assertEquals(n, g.size());
  }
}
