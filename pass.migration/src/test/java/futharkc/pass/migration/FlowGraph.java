package futharkc.pass.migration;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * The unit routing of the source, with which {@link WeightedGraph} is compared: a directed graph of
 * scalars in which a minimum vertex cut separates sources from sinks. A source is a scalar that the
 * device produces; a sink is a scalar that the host must know. Every scalar that crosses from
 * device to host costs one read, so each vertex has capacity 1 and edges have unlimited capacity.
 *
 * <p>{@link #route} searches one augmenting path from one source to any sink: a depth-first search
 * that never enters a region again in which an earlier search has failed. {@link #resolve} takes,
 * of all minimum cuts, the one with the fewest vertices on the device. Both work on the graph
 * itself, not on the graph of split vertices: a search that arrives by a normal edge is at the
 * entry of a vertex, and a search that arrives against a route is at its exit.
 *
 * <p>Source: P. J. Børgesen, Reducing Synchronous GPU Memory Transfers, 2022, section 4.3.
 */
final class FlowGraph {
  /**
   * The mark of a vertex without a route. Other values are the vertex's own source or the vertex
   * before on the route.
   */
  private static final int NO_ROUTE = -1;

  private static final int FROM_SOURCE = -2;

  /** Results of a search; other values are depths that an open cycle leads back to. */
  private static final int DEAD = -1;

  private static final int FOUND = -2;

  private final List<Ints> declared = new ArrayList<>();

  /** The edges that are neither part of a route nor known to lead nowhere, by vertex. */
  private final List<Ints> live = new ArrayList<>();

  private final Ints previous = new Ints();
  private final BitSet deadBackwards = new BitSet();
  private final BitSet sinks = new BitSet();
  private final Ints sources = new Ints();
  private final BitSet isSource = new BitSet();

  private final Ints pending = new Ints();
  private final Ints trail = new Ints();
  private final Ints delayed = new Ints();
  private long visits;

  /** Adds a vertex; vertices count from 0. */
  int vertex() {
    declared.add(new Ints());
    live.add(new Ints());
    previous.add(NO_ROUTE);
    pending.add(-1);
    return declared.size() - 1;
  }

  /** Returns the number of vertices. */
  int size() {
    return declared.size();
  }

  /** Returns the number of edge traversals by all searches so far. */
  long visits() {
    return visits;
  }

  /** Adds an edge, unless it exists or its start is connected to a sink. */
  void edge(int from, int to) {
    if (sinks.get(from) || from == to || declared.get(from).contains(to)) {
      return;
    }
    declared.get(from).add(to);
    live.get(from).add(to);
  }

  /** Connects a vertex to a sink, which replaces all its edges. */
  void sink(int v) {
    if (sinks.get(v)) {
      return;
    }
    sinks.set(v);
    declared.get(v).clear();
    live.get(v).clear();
  }

  /** Tests whether a vertex is connected to a sink. */
  boolean isSink(int v) {
    return sinks.get(v);
  }

  /** Connects a vertex to a source of its own. */
  void source(int v) {
    if (isSource.get(v)) {
      return;
    }
    isSource.set(v);
    sources.add(v);
  }

  /** Returns the ends of a vertex's edges. */
  int[] targets(int v) {
    return declared.get(v).toArray();
  }

  /** Removes an edge from all searches to come; {@link #resolve} still follows the edge. */
  void exhaust(int from, int to) {
    live.get(from).remove(to);
  }

  // Searches

  /** The state of a search at one vertex. */
  private static final class Frame {
    final int vertex;
    final int from;
    final boolean backwards;

    /** The vertex is on the current path already; this visit tries its exit only. */
    final boolean again;

    final int trailMark;
    final int delayedMark;
    final Ints keep = new Ints();
    int result;
    boolean inRoute;
    int next;

    Frame(int vertex, int from, boolean backwards, boolean again, int result, int[] marks) {
      this.vertex = vertex;
      this.from = from;
      this.backwards = backwards;
      this.again = again;
      this.result = result;
      this.trailMark = marks[0];
      this.delayedMark = marks[1];
    }
  }

  /**
   * Searches a path from the source of a vertex to any sink, and makes the path a route.
   *
   * @return true if there is a path
   */
  boolean route(int start) {
    while (trail.size() > 0) {
      pending.set(trail.pop(), -1);
    }
    delayed.clear();
    List<Frame> path = new ArrayList<>();
    int result = enter(start, FROM_SOURCE, false, path);
    while (!path.isEmpty()) {
      Frame f = path.getLast();
      if (result == FOUND) {
        take(f);
        path.removeLast();
        continue;
      }
      if (result != ENTERED) {
        returned(f, result);
      }
      result = advance(f, path);
      if (result != ENTERED && result != FOUND) {
        result = leave(f, path.size() - 1);
        path.removeLast();
      } else if (result == FOUND) {
        path.removeLast();
      }
    }
    if (result >= 0) {
      throw new IllegalStateException("a search did not leave a cycle");
    }
    return result == FOUND;
  }

  /** The search has gone one vertex further. */
  private static final int ENTERED = -3;

  private int enter(int v, int from, boolean backwards, List<Frame> path) {
    visits++;
    int route = previous.get(v);
    int[] marks = {trail.size(), delayed.size()};
    if (pending.get(v) >= 0) {
      if (!backwards) {
        return pending.get(v);
      }
      path.add(new Frame(v, from, true, true, pending.get(v), marks));
      return ENTERED;
    }
    if (!backwards && (route == FROM_SOURCE || route >= 0 && deadBackwards.get(v))) {
      return DEAD;
    }
    pending.set(v, path.size());
    trail.add(v);
    Frame f = new Frame(v, from, backwards, false, DEAD, marks);
    // The route through a vertex is the only way on from its entry.
    f.inRoute = !backwards && route >= 0;
    path.add(f);
    return ENTERED;
  }

  /** Tries the next way on from a vertex. */
  private int advance(Frame f, List<Frame> path) {
    int v = f.vertex;
    if (!f.inRoute) {
      if (sinks.get(v) && f.next == 0) {
        setRoute(v, f.from);
        return FOUND;
      }
      Ints edges = live.get(v);
      while (f.next < edges.size()) {
        int result = enter(edges.get(f.next), v, false, path);
        if (result == ENTERED) {
          return ENTERED;
        }
        returned(f, result);
      }
      edges.clear();
      edges.addAll(f.keep);
      if (f.keep.size() > 0) {
        delayed.add(v);
      }
      if (!f.backwards || f.again || previous.get(v) < 0) {
        return f.result;
      }
      f.inRoute = true;
      f.next = 0;
    }
    if (f.next > 0) {
      return f.result;
    }
    int result = enter(previous.get(v), v, true, path);
    if (result == ENTERED) {
      return ENTERED;
    }
    returned(f, result);
    return f.result;
  }

  /** Notes what a try has led to. */
  private void returned(Frame f, int result) {
    if (f.inRoute) {
      if (result == DEAD) {
        deadBackwards.set(f.vertex);
      } else {
        delayed.add(~f.vertex);
      }
    } else if (result != DEAD) {
      f.keep.add(live.get(f.vertex).get(f.next));
    }
    f.next++;
    if (result != DEAD) {
      f.result = f.result == DEAD ? result : Math.min(f.result, result);
    }
  }

  /** Returns the result of a visit that has tried every edge. */
  private int leave(Frame f, int depth) {
    if (f.again) {
      return f.result;
    }
    int result = f.result;
    if (result == depth) {
      while (delayed.size() > f.delayedMark) {
        int d = delayed.pop();
        if (d >= 0) {
          live.get(d).clear();
        } else {
          deadBackwards.set(~d);
        }
      }
      result = DEAD;
    }
    if (result == DEAD) {
      while (trail.size() > f.trailMark) {
        pending.set(trail.pop(), -1);
      }
    }
    return result;
  }

  /** Makes the step that a visit has tried last part of a route. */
  private void take(Frame f) {
    int v = f.vertex;
    if (!f.inRoute) {
      Ints edges = live.get(v);
      Ints rest = new Ints();
      rest.addAll(f.keep);
      for (int i = f.next + 1; i < edges.size(); i++) {
        rest.add(edges.get(i));
      }
      edges.clear();
      edges.addAll(rest);
      if (f.backwards) {
        edges.add(f.from);
      } else {
        setRoute(v, f.from);
      }
    } else if (!f.backwards) {
      setRoute(v, f.from);
    } else {
      // A part of this visit may have found edges that lead into an open cycle: they stay.
      live.get(v).add(f.from);
      previous.set(v, NO_ROUTE);
      deadBackwards.clear(v);
    }
  }

  private void setRoute(int v, int from) {
    previous.set(v, from);
    deadBackwards.clear(v);
  }

  // Cuts

  /** The vertices that some vertices reach in spite of all routes, split into entries and exits. */
  record Reached(BitSet entries, BitSet exits) {}

  /** Follows all edges and routes from the entries of some vertices. */
  Reached reach(int[] starts) {
    BitSet entries = new BitSet();
    BitSet exits = new BitSet();
    Ints work = new Ints();
    for (int v : starts) {
      work.add(v);
    }
    while (work.size() > 0) {
      int w = work.pop();
      boolean backwards = w < 0;
      int v = backwards ? ~w : w;
      BitSet seen = backwards ? exits : entries;
      if (seen.get(v)) {
        continue;
      }
      seen.set(v);
      int route = previous.get(v);
      if (!backwards && route == FROM_SOURCE) {
        continue;
      }
      if (route >= 0) {
        work.add(~route);
      }
      if (!backwards && route >= 0) {
        continue;
      }
      Ints edges = declared.get(v);
      for (int i = 0; i < edges.size(); i++) {
        work.add(edges.get(i));
      }
    }
    return new Reached(entries, exits);
  }

  /** Tests whether a sink is among what was reached. */
  boolean hasSink(Reached r) {
    for (int v = r.entries.nextSetBit(0); v >= 0; v = r.entries.nextSetBit(v + 1)) {
      if (sinks.get(v) && previous.get(v) == NO_ROUTE) {
        return true;
      }
    }
    return false;
  }

  /** Returns the vertices with sources, in the order in which they were connected. */
  int[] sources() {
    return sources.toArray();
  }

  /**
   * A minimum cut.
   *
   * @param device vertices that are computed on the device and that the host does not need
   * @param read vertices that the host reads: of a read in the program, the read itself stays
   */
  record Cut(BitSet device, BitSet read) {}

  /** Returns the cut with the fewest vertices on the device, after all sources are routed. */
  Cut resolve() {
    Reached r = reach(sources());
    BitSet device = (BitSet) r.exits.clone();
    BitSet read = new BitSet();
    for (int v = r.entries.nextSetBit(0); v >= 0; v = r.entries.nextSetBit(v + 1)) {
      if (previous.get(v) == NO_ROUTE) {
        device.set(v);
      } else if (!r.exits.get(v)) {
        read.set(v);
      }
    }
    return new Cut(device, read);
  }

  /** A growing list of integers. */
  private static final class Ints {
    private int[] elements = new int[4];
    private int size;

    int size() {
      return size;
    }

    int get(int i) {
      return elements[i];
    }

    void set(int i, int value) {
      elements[i] = value;
    }

    void add(int value) {
      if (size == elements.length) {
        elements = Arrays.copyOf(elements, 2 * size);
      }
      elements[size++] = value;
    }

    void addAll(Ints other) {
      for (int i = 0; i < other.size; i++) {
        add(other.elements[i]);
      }
    }

    int pop() {
      return elements[--size];
    }

    void clear() {
      size = 0;
    }

    boolean contains(int value) {
      for (int i = 0; i < size; i++) {
        if (elements[i] == value) {
          return true;
        }
      }
      return false;
    }

    void remove(int value) {
      for (int i = 0; i < size; i++) {
        if (elements[i] != value) {
          continue;
        }
        System.arraycopy(elements, i + 1, elements, i, size - i - 1);
        size--;
        return;
      }
    }

    int[] toArray() {
      return Arrays.copyOf(elements, size);
    }
  }
}
