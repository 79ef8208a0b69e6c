package futharkc.pass.migration;

import java.util.Arrays;
import java.util.BitSet;

/**
 * A maximum flow through a network with integer capacities, by blocking flows in layered networks.
 * The search needs no recursion.
 *
 * <p>Source: E. A. Dinic, Algorithm for Solution of a Problem of Maximum Flow in Networks with
 * Power Estimation, 1970.
 */
final class MaximumFlow {
  /** A capacity that no flow uses up. */
  static final long UNLIMITED = Long.MAX_VALUE / 4;

  private final int nodes;
  private final int[] first;
  private int[] next = new int[16];
  private int[] target = new int[16];
  private long[] capacity = new long[16];
  private int arcs;

  MaximumFlow(int nodes) {
    this.nodes = nodes;
    this.first = new int[nodes];
    Arrays.fill(first, -1);
  }

  /** Adds an arc. The arc after it, with the next number, is its reverse. */
  void arc(int from, int to, long limit) {
    half(from, to, limit);
    half(to, from, 0);
  }

  private void half(int from, int to, long limit) {
    if (arcs == target.length) {
      next = Arrays.copyOf(next, 2 * arcs);
      target = Arrays.copyOf(target, 2 * arcs);
      capacity = Arrays.copyOf(capacity, 2 * arcs);
    }
    target[arcs] = to;
    capacity[arcs] = limit;
    next[arcs] = first[from];
    first[from] = arcs++;
  }

  /** Sends as much flow as possible, and returns its amount. */
  long run(int source, int sink) {
    long flow = 0;
    int[] layer = new int[nodes];
    int[] current = new int[nodes];
    int[] path = new int[nodes];
    while (layers(source, sink, layer)) {
      System.arraycopy(first, 0, current, 0, nodes);
      flow += blockingFlow(source, sink, layer, current, path);
    }
    return flow;
  }

  private boolean layers(int source, int sink, int[] layer) {
    Arrays.fill(layer, -1);
    int[] queue = new int[nodes];
    int end = 1;
    queue[0] = source;
    layer[source] = 0;
    for (int i = 0; i < end; i++) {
      for (int a = first[queue[i]]; a >= 0; a = next[a]) {
        if (capacity[a] == 0 || layer[target[a]] >= 0) {
          continue;
        }
        layer[target[a]] = layer[queue[i]] + 1;
        queue[end++] = target[a];
      }
    }
    return layer[sink] >= 0;
  }

  private long blockingFlow(int source, int sink, int[] layer, int[] current, int[] path) {
    long flow = 0;
    int length = 0;
    int at = source;
    while (true) {
      if (at == sink) {
        long least = UNLIMITED;
        for (int i = 0; i < length; i++) {
          least = Math.min(least, capacity[path[i]]);
        }
        flow += least;
        int back = length;
        for (int i = length - 1; i >= 0; i--) {
          push(path[i], least);
          if (capacity[path[i]] == 0) {
            back = i;
          }
        }
        length = back;
        at = length == 0 ? source : target[path[length - 1]];
        continue;
      }
      int a = current[at];
      while (a >= 0 && (capacity[a] == 0 || layer[target[a]] != layer[at] + 1)) {
        a = next[a];
      }
      current[at] = a;
      if (a >= 0) {
        path[length++] = a;
        at = target[a];
      } else if (length == 0) {
        return flow;
      } else {
        // No path leads on from this node in these layers.
        layer[at] = -1;
        at = target[path[--length] ^ 1];
      }
    }
  }

  private void push(int arc, long amount) {
    capacity[arc] -= amount;
    capacity[arc ^ 1] += amount;
  }

  /** Returns the nodes that the source reaches by arcs with capacity left. */
  BitSet reachable(int source) {
    BitSet seen = new BitSet(nodes);
    int[] work = new int[nodes];
    int size = 1;
    work[0] = source;
    seen.set(source);
    while (size > 0) {
      for (int a = first[work[--size]]; a >= 0; a = next[a]) {
        if (capacity[a] == 0 || seen.get(target[a])) {
          continue;
        }
        seen.set(target[a]);
        work[size++] = target[a];
      }
    }
    return seen;
  }
}
