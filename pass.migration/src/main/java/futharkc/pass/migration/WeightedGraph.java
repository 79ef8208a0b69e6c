package futharkc.pass.migration;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * A directed graph of scalars in which a cut of least cost separates sources from sinks. A source
 * is a scalar that the device produces; a sink is a scalar that the host must know. An edge leads
 * from an operand to a result: the device computes the result, or the host reads the operand.
 *
 * <p>A cut puts each vertex on the device or on the host. It costs
 *
 * <ul>
 *   <li>for each source on the host: the cost of that read;
 *   <li>for each vertex on the device that is a sink or has an edge to the host: the cost of
 *       reading the vertex;
 *   <li>for each vertex on the device: the cost of its work there;
 *   <li>for each group with a vertex on the device: the cost of the group's kernel, unless a given
 *       vertex is on the device and not read.
 * </ul>
 *
 * <p>The cut is a minimum cut of a network in which each vertex has an entry and an exit. The work
 * of a vertex is an arc from its entry to the end of the network, and a group is a node that the
 * entries of its vertices reach. All costs are integers of one unit.
 *
 * <p>Source: P. J. Børgesen, Reducing Synchronous GPU Memory Transfers, 2022, section 4.2; its
 * costs are 1 for a read and 0 for all else.
 */
final class WeightedGraph {
  private final List<Set<Integer>> edges = new ArrayList<>();
  private final List<Long> reads = new ArrayList<>();
  private final List<Long> work = new ArrayList<>();
  private final List<Long> sources = new ArrayList<>();
  private final BitSet sinks = new BitSet();
  private final List<Group> groups = new ArrayList<>();

  private static final class Group {
    private final Set<Integer> members = new LinkedHashSet<>();
    private long cost;
    private int unless = NONE;
  }

  private static final int NONE = -1;

  /** Adds a vertex with the cost of reading it; vertices count from 0. */
  int vertex(long cost) {
    edges.add(new LinkedHashSet<>());
    reads.add(cost);
    work.add(0L);
    sources.add((long) NONE);
    return edges.size() - 1;
  }

  /** Returns the number of vertices. */
  int size() {
    return edges.size();
  }

  /** Adds an edge, unless its start is connected to a sink. */
  void edge(int from, int to) {
    if (from != to && !sinks.get(from)) {
      edges.get(from).add(to);
    }
  }

  /** Connects a vertex to a sink, which replaces all its edges. */
  void sink(int v) {
    sinks.set(v);
    edges.get(v).clear();
  }

  /** Tests whether a vertex is connected to a sink. */
  boolean isSink(int v) {
    return sinks.get(v);
  }

  /** Connects a vertex to a source of its own; the host reads the source at the given cost. */
  void source(int v, long cost) {
    sources.set(v, cost);
  }

  /** Tests whether a vertex has a source. */
  boolean isSource(int v) {
    return sources.get(v) != NONE;
  }

  /** Adds to the cost of reading a vertex. */
  void addReading(int v, long cost) {
    reads.set(v, reads.get(v) + cost);
  }

  /** Adds to the cost of computing a vertex on the device. */
  void addWork(int v, long cost) {
    work.set(v, work.get(v) + cost);
  }

  /** Adds a group without vertices and cost; groups count from 0. */
  int group() {
    groups.add(new Group());
    return groups.size() - 1;
  }

  /** Adds a vertex to a group. */
  void member(int group, int v) {
    groups.get(group).members.add(v);
  }

  /** Sets the cost of a group's kernel. */
  void kernel(int group, long cost) {
    groups.get(group).cost = cost;
  }

  /** Makes a group's kernel free if a vertex is on the device and not read. */
  void unless(int group, int v) {
    groups.get(group).unless = v;
  }

  /** Takes away a vertex's edges, work and part in groups. */
  void drop(int v) {
    edges.get(v).clear();
    work.set(v, 0L);
    for (Group g : groups) {
      g.members.remove(v);
      if (g.unless == v) {
        g.unless = NONE;
      }
    }
  }

  /** Returns the ends of a vertex's edges. */
  Set<Integer> targets(int v) {
    return edges.get(v);
  }

  /**
   * A cut of least cost.
   *
   * @param device vertices that are computed on the device and that the host does not need
   * @param read vertices that the host reads: of a source on the host, the read itself stays
   */
  record Cut(BitSet device, BitSet read, long cost) {}

  private static int entry(int v) {
    return 2 * v;
  }

  private static int exit(int v) {
    return 2 * v + 1;
  }

  /**
   * Returns the cut of least cost, and of these cuts the one with the fewest vertices on the
   * device.
   */
  Cut cut() {
    int n = size();
    int start = 2 * n + groups.size();
    int end = start + 1;
    MaximumFlow flow = new MaximumFlow(end + 1);
    for (int v = 0; v < n; v++) {
      flow.arc(entry(v), exit(v), reads.get(v));
      // A vertex whose exit is on the device has its entry there, too.
      flow.arc(exit(v), entry(v), MaximumFlow.UNLIMITED);
      if (sinks.get(v)) {
        flow.arc(exit(v), end, MaximumFlow.UNLIMITED);
      }
      for (int t : edges.get(v)) {
        flow.arc(exit(v), entry(t), MaximumFlow.UNLIMITED);
      }
      if (work.get(v) > 0) {
        flow.arc(entry(v), end, work.get(v));
      }
      if (isSource(v)) {
        flow.arc(start, entry(v), sources.get(v));
      }
    }
    for (int i = 0; i < groups.size(); i++) {
      Group g = groups.get(i);
      if (g.cost == 0 || g.members.isEmpty()) {
        continue;
      }
      for (int v : g.members) {
        flow.arc(entry(v), 2 * n + i, MaximumFlow.UNLIMITED);
      }
      flow.arc(2 * n + i, g.unless == NONE ? end : exit(g.unless), g.cost);
    }
    long cost = flow.run(start, end);
    BitSet reached = flow.reachable(start);
    BitSet device = new BitSet();
    BitSet read = new BitSet();
    for (int v = 0; v < n; v++) {
      if (reached.get(entry(v)) && reached.get(exit(v))) {
        device.set(v);
      } else if (reached.get(entry(v)) || isSource(v)) {
        read.set(v);
      }
    }
    return new Cut(device, read, cost);
  }
}
