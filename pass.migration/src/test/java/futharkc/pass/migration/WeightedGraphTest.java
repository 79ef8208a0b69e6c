package futharkc.pass.migration;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Cuts of random weighted graphs against exhaustive search, and cuts of graphs in which each read
 * costs 1 and nothing else costs anything against unit routing. {@code -Dmigration.graphs=N} sets
 * the number of graphs of each kind.
 */
final class WeightedGraphTest {
  private static final int GRAPHS = Integer.getInteger("migration.graphs", 5000);

  /** A graph with the costs that a cut of it has. */
  private static final class Example {
    final int size;
    final boolean[][] edges;
    final BitSet sinks = new BitSet();
    final long[] reads;
    final long[] work;
    final long[] sources;
    final List<BitSet> members = new ArrayList<>();
    final List<Long> kernels = new ArrayList<>();
    final List<Integer> unless = new ArrayList<>();

    Example(Random random, int size, boolean weighted) {
      this.size = size;
      edges = new boolean[size][size];
      reads = new long[size];
      work = new long[size];
      sources = new long[size];
      double density = size < 10 ? 0.25 : 0.12;
      boolean cycles = random.nextBoolean();
      for (int v = 0; v < size; v++) {
        if (random.nextInt(4) == 0) {
          sinks.set(v);
        }
        reads[v] = weighted ? 1 + random.nextInt(6) : 1;
        work[v] = weighted && random.nextInt(2) == 0 ? random.nextInt(3) : 0;
        sources[v] = random.nextInt(3) > 0 ? -1 : weighted ? 1 + random.nextInt(6) : 1;
      }
      for (int a = 0; a < size; a++) {
        for (int b = 0; b < size; b++) {
          edges[a][b] =
              a != b && (cycles || a < b) && !sinks.get(a) && random.nextDouble() < density;
        }
      }
      for (int g = 0; g < 3 && weighted; g++) {
        BitSet all = new BitSet();
        for (int v = 0; v < size; v++) {
          if (random.nextInt(3) == 0) {
            all.set(v);
          }
        }
        members.add(all);
        kernels.add((long) random.nextInt(4));
        unless.add(random.nextBoolean() ? -1 : random.nextInt(size));
      }
    }

    WeightedGraph graph() {
      WeightedGraph g = new WeightedGraph();
      for (int v = 0; v < size; v++) {
        g.vertex(reads[v]);
        g.addWork(v, work[v]);
      }
      for (int a = 0; a < size; a++) {
        for (int b = 0; b < size; b++) {
          if (edges[a][b]) {
            g.edge(a, b);
          }
        }
        if (sources[a] >= 0) {
          g.source(a, sources[a]);
        }
      }
      sinks.stream().forEach(g::sink);
      for (int i = 0; i < members.size(); i++) {
        int group = g.group();
        g.kernel(group, kernels.get(i));
        members.get(i).stream().forEach(v -> g.member(group, v));
        if (unless.get(i) >= 0) {
          g.unless(group, unless.get(i));
        }
      }
      return g;
    }

    /** Returns the vertices of a device's side that cross to the host. */
    BitSet crossing(BitSet device) {
      BitSet found = new BitSet();
      for (int v = device.nextSetBit(0); v >= 0; v = device.nextSetBit(v + 1)) {
        boolean crosses = sinks.get(v);
        for (int w = 0; w < size; w++) {
          crosses |= edges[v][w] && !device.get(w);
        }
        if (crosses) {
          found.set(v);
        }
      }
      return found;
    }

    long cost(BitSet device) {
      BitSet crossing = crossing(device);
      long cost = 0;
      for (int v = 0; v < size; v++) {
        if (!device.get(v)) {
          cost += Math.max(0, sources[v]);
          continue;
        }
        cost += work[v] + (crossing.get(v) ? reads[v] : 0);
      }
      for (int i = 0; i < members.size(); i++) {
        int u = unless.get(i);
        boolean free = u >= 0 && device.get(u) && !crossing.get(u);
        if (!free && members.get(i).intersects(device)) {
          cost += kernels.get(i);
        }
      }
      return cost;
    }
  }

  @Test
  void weightedGraphsAgainstExhaustiveSearch() {
    Random random = new Random(3);
    for (int i = 0; i < GRAPHS; i++) {
      Example e = new Example(random, 1 + random.nextInt(9), true);
      long least = Long.MAX_VALUE;
      BitSet entries = new BitSet();
      BitSet exits = new BitSet();
      for (long mask = 0; mask < 1L << e.size; mask++) {
        BitSet device = BitSet.valueOf(new long[] {mask});
        long cost = e.cost(device);
        if (cost > least) {
          continue;
        }
        BitSet kept = (BitSet) device.clone();
        kept.andNot(e.crossing(device));
        if (cost < least) {
          least = cost;
          entries = device;
          exits = kept;
        } else {
          // Of all cheapest cuts, the one with the smallest side of the device.
          entries = (BitSet) entries.clone();
          entries.and(device);
          exits.and(kept);
        }
      }
      WeightedGraph.Cut cut = e.graph().cut();
      assertEquals(least, cut.cost(), "graph " + i);
      assertEquals(exits, cut.device(), "graph " + i);
      BitSet read = (BitSet) entries.clone();
      for (int v = 0; v < e.size; v++) {
        if (e.sources[v] >= 0 && !entries.get(v)) {
          read.set(v);
        }
      }
      read.andNot(exits);
      assertEquals(read, cut.read(), "graph " + i);
    }
  }

  @Test
  void unitCostsAgainstUnitRouting() {
    Random random = new Random(4);
    for (int i = 0; i < GRAPHS; i++) {
      Example e = new Example(random, 1 + random.nextInt(40), false);
      FlowGraph unit = new FlowGraph();
      for (int v = 0; v < e.size; v++) {
        unit.vertex();
      }
      for (int a = 0; a < e.size; a++) {
        for (int b = 0; b < e.size; b++) {
          if (e.edges[a][b]) {
            unit.edge(a, b);
          }
        }
      }
      e.sinks.stream().forEach(unit::sink);
      int routes = 0;
      for (int v = 0; v < e.size; v++) {
        if (e.sources[v] < 0) {
          continue;
        }
        unit.source(v);
        routes += unit.route(v) ? 1 : 0;
      }
      FlowGraph.Cut expected = unit.resolve();
      WeightedGraph.Cut cut = e.graph().cut();
      assertEquals(routes, cut.cost(), "graph " + i);
      assertEquals(expected.device(), cut.device(), "graph " + i);
      assertEquals(expected.read(), cut.read(), "graph " + i);
    }
  }

  @Test
  void largeGraphsTakeLittleTime() {
    Random random = new Random(5);
    int n = 20_000;
    WeightedGraph g = new WeightedGraph();
    int group = g.group();
    g.kernel(group, 3700);
    for (int v = 0; v < n; v++) {
      g.vertex(25_000);
      g.addWork(v, 10);
      g.member(group, v);
      if (v % 10 == 0) {
        g.source(v, 25_000);
      }
    }
    for (int v = 1; v < n; v++) {
      g.edge(v - 1 - random.nextInt(Math.min(v, 50)), v);
    }
    for (int v = 9; v < n; v += 100) {
      g.sink(v);
    }
    long start = System.nanoTime();
    WeightedGraph.Cut cut = g.cut();
    assertTrue(cut.cost() > 0);
    assertTrue(System.nanoTime() - start < 10_000_000_000L);
  }
}
