package futharkc.pass.fusion;

import futharkc.core.ir.Aux;
import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.Name;
import futharkc.core.ir.NameSource;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.Soac;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import futharkc.core.ir.analysis.Aliases;
import futharkc.core.ir.analysis.Consumption;
import futharkc.core.ir.analysis.DependenceGraph;
import futharkc.core.ir.analysis.DependenceGraph.Node;
import futharkc.core.ir.analysis.Uses;
import futharkc.core.ir.soac.HistFusion;
import futharkc.core.ir.soac.ScremaFusion;
import futharkc.core.ir.soac.ScremaFusion.Bound;
import futharkc.core.ir.soac.StreamFusion;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Fuses the statements of one body with each other. Nested bodies stay unchanged. */
final class BodyFusion {
  /** The number of earlier operations over the same array that are tried with an operation. */
  private static final int SIBLINGS = 8;

  /** The number of statements from which copies of an operation are postponed. */
  private static final int LARGE = 64;

  private final Body body;
  private final Aliases aliases;
  private final NameSource names;
  private final FusionRemarks remarks;
  private final DependenceGraph graph;
  private boolean changed;

  /**
   * A flag for whether streams may absorb parallel operations. The first sweeps fuse parallel
   * operations with each other only.
   */
  private boolean intoStreams;

  private BodyFusion(Body body, Aliases aliases, NameSource names, FusionRemarks remarks) {
    this.body = body;
    this.aliases = aliases;
    this.names = names;
    this.remarks = remarks;
    this.graph = new DependenceGraph(body, aliases);
  }

  /** Returns the body with its statements fused, or the same body if no fusion applies. */
  static Body fuse(Body body, Aliases aliases, NameSource names, FusionRemarks remarks) {
    long candidates = body.stms().stream().filter(s -> s.exp() instanceof Soac).count();
    if (candidates < 2) {
      return body;
    }
    return new BodyFusion(body, aliases, names, remarks).run();
  }

  private Body run() {
    intoHistograms();
    sweep();
    if (body.stms().stream().anyMatch(s -> s.exp() instanceof Soac.Stream)) {
      intoStreams = true;
      sweep();
    }
    return changed ? graph.body() : body;
  }

  /**
   * Fuses maps that only a histogram uses into the histogram. This happens before a scan in front
   * of them absorbs them. The scan then writes one array instead of one array for each of the
   * histogram's inputs.
   */
  private void intoHistograms() {
    for (Node start : graph.nodes()) {
      Soac.Hist h = start.exp(Soac.Hist.class);
      Node next = h == null ? null : start;
      while (next != null) {
        Node histogram = next;
        Soac.Hist now = histogram.exp(Soac.Hist.class);
        boolean large = now != null && now.bucket().body().stms().size() > LARGE;
        next =
            producers(histogram).stream()
                .filter(p -> !large && isMap(p))
                .sorted(DependenceGraph.IN_ORDER.reversed())
                .map(p -> tryFuse(p, histogram))
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
      }
    }
  }

  private static boolean isMap(Node n) {
    Soac.Screma s = n.exp(Soac.Screma.class);
    return s != null && s.isMap();
  }

  private void sweep() {
    boolean again;
    do {
      again = vertical();
      again |= horizontal();
    } while (again);
  }

  /**
   * Fuses producers with consumers in program order, so that a chain grows at its end. Fusion
   * copies both operations. A large operation waits for the next sweep, so that copies occur only
   * when its size doubles. Returns whether a large operation waits.
   */
  private boolean vertical() {
    Set<Node> large = new HashSet<>();
    boolean waiting = false;
    for (Node start : graph.nodes()) {
      Node consumer = start;
      for (Node next = start; next != null; next = fuseProducer(consumer, large)) {
        consumer = next;
        if (consumer != start && size(consumer) > LARGE) {
          large.add(consumer);
        }
      }
      waiting |= producers(consumer).stream().anyMatch(large::contains);
    }
    return waiting;
  }

  private Set<Node> producers(Node consumer) {
    Set<Node> producers = new LinkedHashSet<>();
    for (Name input : consumer.uses().inputs()) {
      Node definer = graph.definer(input);
      if (definer != null && definer.stm().exp() instanceof Soac) {
        producers.add(definer);
      }
    }
    return producers;
  }

  private @Nullable Node fuseProducer(Node consumer, Set<Node> waiting) {
    return producers(consumer).stream()
        .filter(producer -> !waiting.contains(producer))
        .sorted(DependenceGraph.IN_ORDER.reversed())
        .map(producer -> tryFuse(producer, consumer))
        .filter(Objects::nonNull)
        .findFirst()
        .orElse(null);
  }

  /**
   * Fuses independent operations over a common array, and histograms that together use all results
   * of a map. Fusion in pairs of neighbours doubles the size from sweep to sweep. Each operation is
   * tried with a few earlier ones. Returns whether a fusion succeeded.
   */
  private boolean horizontal() {
    Set<Name> inputs = new LinkedHashSet<>();
    for (Node node : graph.nodes()) {
      inputs.addAll(node.uses().inputs());
    }
    Set<Node> fresh = new HashSet<>();
    for (Name input : inputs) {
      sideBySide(readers(input), fresh);
    }
    for (Node node : graph.nodes()) {
      sideBySide(onlyHistograms(node), fresh);
    }
    return !fresh.isEmpty();
  }

  private void sideBySide(List<Node> siblings, Set<Node> fresh) {
    Deque<Node> open = new ArrayDeque<>();
    for (Node node : siblings) {
      if (fresh.contains(node)) {
        continue;
      }
      Node fused = fuseSibling(open, node);
      if (fused != null) {
        fresh.add(fused);
        continue;
      }
      open.addFirst(node);
      if (open.size() > SIBLINGS) {
        open.removeLast();
      }
    }
  }

  /**
   * Returns the histograms over a map's results, in order; none if another operation uses a result.
   */
  private List<Node> onlyHistograms(Node map) {
    Soac.Screma s = map.exp(Soac.Screma.class);
    if (s == null || !s.isMap() || !graph.has(map)) {
      return List.of();
    }
    Set<Node> users = new LinkedHashSet<>();
    for (Name result : map.stm().names()) {
      users.addAll(graph.users(result));
    }
    for (Name result : map.stm().names()) {
      if (graph.isUsedOutside(result, users)) {
        return List.of();
      }
      if (users.stream().anyMatch(u -> u.uses().others().contains(result))) {
        return List.of();
      }
    }
    if (users.stream().anyMatch(u -> u.exp(Soac.Hist.class) == null)) {
      return List.of();
    }
    return users.stream().sorted(DependenceGraph.IN_ORDER).toList();
  }

  /** Returns the operations that read an array element by element, in order. */
  private List<Node> readers(Name input) {
    return graph.users(input).stream()
        .filter(u -> u.uses().inputs().contains(input))
        .sorted(DependenceGraph.IN_ORDER)
        .toList();
  }

  /**
   * Returns the statement count of a map, including the function after its scans; 0 for other
   * operations.
   */
  private static int size(Node n) {
    Soac.Screma s = n.exp(Soac.Screma.class);
    return s == null ? 0 : s.map().body().stms().size() + s.post().body().stms().size();
  }

  private @Nullable Node fuseSibling(Deque<Node> earlier, Node node) {
    earlier.removeIf(n -> !graph.has(n));
    for (Node other : earlier) {
      // Fusion of other operations may have changed the order.
      boolean inOrder = other.isBefore(node);
      Node first = inOrder ? other : node;
      Node second = inOrder ? node : other;
      PatElem place = inPlaceAfter(first, second);
      if (place != null) {
        String reason =
            place.name()
                + " is an element of a later array, and after fusion it could not be constructed in"
                + " place";
        remarks.missed(first.stm(), second.stm(), reason);
        continue;
      }
      Node fused = tryFuse(first, second);
      if (fused != null) {
        return fused;
      }
    }
    return null;
  }

  /**
   * Returns a result of a cheap map that is written into an array that depends on the first
   * operation; null if there is none. Memory merging constructs such a result in place. This is
   * impossible after a fusion with the first operation, because the array does not exist yet. The
   * copy would cost more than a second read of the common input.
   */
  private @Nullable PatElem inPlaceAfter(Node first, Node second) {
    Soac.Screma map = second.exp(Soac.Screma.class);
    if (map == null || !map.isMap() || !LoopSinking.isCheap(map)) {
      return null;
    }
    for (PatElem p : second.stm().pat()) {
      for (Node user : graph.users(p.name())) {
        BasicOp.Update u = user.exp(BasicOp.Update.class);
        if (u == null || !u.value().equals(SubExp.of(p.name()))) {
          break;
        }
        if (graph.isUsedBesides(p.name(), user)) {
          break;
        }
        Node before = graph.definer(u.array());
        if (before != null && needs(before, first)) {
          return p;
        }
      }
    }
    return null;
  }

  private boolean needs(Node node, Node earlier) {
    return node == earlier
        || earlier.isBefore(node)
            && (earlier.stm().names().stream().anyMatch(node::uses)
                || graph.isAnyBetween(earlier, node));
  }

  /** Fuses two nodes, the first of which is earlier, unless there is an obstacle. */
  private @Nullable Node tryFuse(Node first, Node second) {
    if (!intoStreams && isOneStream(first, second)) {
      return null;
    }
    String obstacle = obstacle(first, second);
    if (obstacle == null && !remarks.mayGoOn()) {
      return null;
    }
    Stm stm = obstacle == null ? fused(first, second) : null;
    if (stm == null) {
      String reason =
          obstacle != null ? obstacle : "a scan or reduction needs the result of a scan";
      remarks.missed(first.stm(), second.stm(), reason);
      return null;
    }
    Node node = graph.contract(List.of(first, second), stm);
    changed = true;
    remarks.fused(first.stm(), second.stm());
    return node;
  }

  private @Nullable Stm fused(Node first, Node second) {
    Aux aux = second.stm().aux().and(first.stm().aux());
    Soac.Hist a = first.exp(Soac.Hist.class);
    Soac.Hist b = second.exp(Soac.Hist.class);
    if (a != null && b != null) {
      List<PatElem> pat = new ArrayList<>(first.stm().pat());
      pat.addAll(second.stm().pat());
      return new Stm(pat, aux, HistFusion.sideBySide(a, b, names));
    }
    if (stream(first) != null || stream(second) != null) {
      StreamFusion.Bound fused =
          StreamFusion.fuse(
              asStream(first), asStream(second), name -> graph.isUsedBesides(name, second), names);
      return new Stm(fused.pat(), aux, fused.stream());
    }
    if (b != null) {
      Set<Name> consumed = Consumption.ofParams(b.inputs(), b.bucket(), aliases);
      var map = new Bound(first.stm().pat(), screma(first));
      Soac.Hist hist = HistFusion.withProducer(map, b, consumed::contains, names);
      return new Stm(second.stm().pat(), aux, hist);
    }
    Set<Name> consumed =
        Consumption.ofParams(screma(second).inputs(), screma(second).map(), aliases);
    Bound fused =
        ScremaFusion.fuse(
            new Bound(first.stm().pat(), screma(first)),
            new Bound(second.stm().pat(), screma(second)),
            name -> graph.isUsedBesides(name, second),
            consumed::contains,
            names);
    return fused == null ? null : new Stm(fused.pat(), aux, fused.screma());
  }

  private StreamFusion.Bound asStream(Node n) {
    Soac.Stream stream = stream(n);
    return stream != null
        ? new StreamFusion.Bound(n.stm().pat(), stream)
        : StreamFusion.asStream(new Bound(n.stm().pat(), screma(n)), names);
  }

  private static Soac.@Nullable Stream stream(Node n) {
    return n.exp(Soac.Stream.class);
  }

  private static Soac.Screma screma(Node n) {
    return Objects.requireNonNull(n.exp(Soac.Screma.class));
  }

  /**
   * Returns the reason that two nodes must not be fused, or null. Their widths are equal, since an
   * input of one is an input or a result of the other.
   */
  private @Nullable String obstacle(Node first, Node second) {
    if (!schedule(first).equals(schedule(second)) && !isForBoth(first, second)) {
      return "their attributes differ";
    }
    String kinds = kindObstacle(first, second);
    if (kinds != null) {
      return kinds;
    }
    for (PatElem p : first.stm().pat()) {
      if (second.uses().others().contains(p.name())) {
        return p.name() + " is needed as a whole";
      }
      if (p.type() instanceof Type.Acc && second.uses().inputs().contains(p.name())) {
        return "updates of " + p.name() + " would change their order";
      }
    }
    List<PatElem> totals = first.stm().pat().subList(0, totals(first));
    if (totals.stream().anyMatch(p -> second.uses().inputs().contains(p.name()))) {
      return "the result of a reduction or an accumulator is an input";
    }
    if (graph.isAnyBetween(first, second)) {
      return "a statement between them uses the first and the second uses that statement";
    }
    return consumptionObstacle(first, second);
  }

  /**
   * Tests whether a reduction's attribute {@code sequential_inner} may apply to the map of its
   * arrays as well. The map's results then need no memory.
   */
  private static boolean isForBoth(Node first, Node second) {
    Soac.Screma map = first.exp(Soac.Screma.class);
    Soac.Screma reduction = second.exp(Soac.Screma.class);
    return map != null
        && map.isMap()
        && schedule(first).isEmpty()
        && reduction != null
        && reduction.scans().isEmpty()
        && reduction.reduces().stream().anyMatch(r -> r.op().results().get(0).rank() > 0)
        && schedule(second).equals(List.of("sequential_inner"));
  }

  /**
   * Returns the scheduling attributes in the source, which would apply to both operations after
   * fusion.
   */
  static List<String> schedule(Node n) {
    return n.stm().aux().attrs().stream().filter(a -> a.startsWith("sequential")).toList();
  }

  private @Nullable String kindObstacle(Node first, Node second) {
    boolean product = first.stm().names().stream().anyMatch(second.uses().inputs()::contains);
    if (first.exp(Soac.Hist.class) != null) {
      if (product) {
        return "a histogram's result is not an input";
      }
      return second.exp(Soac.Hist.class) != null ? null : "one is a histogram";
    }
    if (first.exp(Soac.Screma.class) == null && stream(first) == null) {
      return "the first is no map, scan, reduction, histogram or stream";
    }
    if (second.exp(Soac.Hist.class) != null) {
      if (stream(first) != null) {
        return "a histogram is profitable in parallel, and a stream is sequential";
      }
      if (!screma(first).isMap()) {
        return "histograms are fused with maps only";
      }
      return isNeededBesides(first.stm().pat(), second) ? "its results have other uses" : null;
    }
    return isOneStream(first, second) ? streamObstacle(first, second) : null;
  }

  private static boolean isOneStream(Node first, Node second) {
    return (stream(first) == null) != (stream(second) == null);
  }

  /**
   * Returns the reason that a map, scan or reduction must not become part of a stream, or null. The
   * operation loses its parallelism. So the fusion must save an array, and the operation must be
   * cheap.
   */
  private @Nullable String streamObstacle(Node first, Node second) {
    Soac.Screma parallel = stream(first) == null ? screma(first) : screma(second);
    if (!LoopSinking.isCheap(parallel)) {
      return "it is profitable in parallel, and a stream is sequential";
    }
    List<PatElem> arrays = first.stm().pat().subList(totals(first), first.stm().pat().size());
    List<PatElem> saved =
        arrays.stream().filter(p -> second.uses().inputs().contains(p.name())).toList();
    if (saved.isEmpty()) {
      return "a stream would save no array";
    }
    boolean made = isNeededBesides(stream(first) == null ? arrays : saved, second);
    return made ? "its results have other uses" : null;
  }

  private boolean isNeededBesides(List<PatElem> results, Node user) {
    return results.stream().anyMatch(p -> graph.isUsedBesides(p.name(), user));
  }

  /** Returns the number of leading results that are not arrays over the iterations. */
  private static int totals(Node n) {
    Soac.Stream stream = stream(n);
    if (stream != null) {
      return stream.accs().size();
    }
    Soac.Screma screma = n.exp(Soac.Screma.class);
    return screma == null ? 0 : screma.reduceResults();
  }

  /**
   * Returns the reason that consumption prevents the fusion, or null: the second node consumes an
   * array that the first one reads other than element by element.
   */
  private @Nullable String consumptionObstacle(Node first, Node second) {
    if (second.consumed().isEmpty()) {
      return null;
    }
    Set<Name> produced = new HashSet<>(first.stm().names());
    for (Name read : first.uses().inputs()) {
      if (!graph.isConsumed(read, second)) {
        continue;
      }
      boolean sameElements =
          second.uses().inputs().contains(read)
              && Collections.frequency(Uses.inputs(first.stm().exp()), read) == 1
              && second.uses().inputs().stream()
                  .filter(i -> !i.equals(read) && !produced.contains(i))
                  .noneMatch(i -> aliases.mayShare(i, read));
      if (!sameElements) {
        return read + " is overwritten";
      }
      if (mayGive(first, read)) {
        return "elements of " + read + " would be overwritten";
      }
    }
    for (Name read : first.uses().others()) {
      if (graph.isConsumed(read, second)) {
        return read + " is overwritten";
      }
    }
    return null;
  }

  /** Tests whether a result may alias the elements of an input. */
  private static boolean mayGive(Node n, Name input) {
    Soac.Stream stream = stream(n);
    if (stream != null) {
      return StreamFusion.mayGive(stream, input);
    }
    Soac.Screma screma = n.exp(Soac.Screma.class);
    if (screma == null) {
      return true;
    }
    List<Type> results = screma.map().results();
    return !results.stream().allMatch(t -> t instanceof Type.Prim || t instanceof Type.Acc);
  }
}
