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

/** Fuses the statements of one body with each other; not what is inside them. */
final class BodyFusion {
  /** With how many earlier operations over the same array one is tried. */
  private static final int SIBLINGS = 8;

  /** How many statements in an operation are worth not copying. */
  private static final int LARGE = 64;

  private final Body body;
  private final Aliases aliases;
  private final NameSource names;
  private final Remarks remarks;
  private final DependenceGraph graph;
  private boolean changed;

  /** Whether streams take in parallel operations by now: first these are fused with each other. */
  private boolean intoStreams;

  private BodyFusion(Body body, Aliases aliases, NameSource names, Remarks remarks) {
    this.body = body;
    this.aliases = aliases;
    this.names = names;
    this.remarks = remarks;
    this.graph = new DependenceGraph(body, aliases);
  }

  /** The body with its statements fused, or the very body if there is nothing to fuse. */
  static Body fuse(Body body, Aliases aliases, NameSource names, Remarks remarks) {
    long candidates = body.stms().stream().filter(s -> s.exp() instanceof Soac).count();
    if (candidates < 2) return body;
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
   * Maps that only a histogram needs are the histogram's, before a scan ahead of them takes them:
   * what the scan makes is then one array, not as many as the histogram needs.
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
   * In order, so that a chain grows at its end: fusing copies what is fused. What has become large
   * waits for the next sweep, so that it is copied each time that it doubles only. Returns whether
   * there is any such thing.
   */
  private boolean vertical() {
    Set<Node> large = new HashSet<>();
    boolean waiting = false;
    for (Node start : graph.nodes()) {
      Node consumer = start;
      for (Node next = start; next != null; next = fuseProducer(consumer, large)) {
        consumer = next;
        if (consumer != start && size(consumer) > LARGE) large.add(consumer);
      }
      waiting |= producers(consumer).stream().anyMatch(large::contains);
    }
    return waiting;
  }

  private Set<Node> producers(Node consumer) {
    Set<Node> producers = new LinkedHashSet<>();
    for (Name input : consumer.uses().inputs()) {
      Node definer = graph.definer(input);
      if (definer != null && definer.stm().exp() instanceof Soac) producers.add(definer);
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
   * Independent operations over a common array, and histograms of which each needs another result
   * of a map that then is nobody else's: neighbours in pairs, so that what is fused doubles from
   * sweep to sweep. Each is tried with a few that come before it.
   */
  private boolean horizontal() {
    Set<Name> inputs = new LinkedHashSet<>();
    for (Node node : graph.nodes()) inputs.addAll(node.uses().inputs());
    Set<Node> fresh = new HashSet<>();
    for (Name input : inputs) sideBySide(readers(input), fresh);
    for (Node node : graph.nodes()) sideBySide(onlyHistograms(node), fresh);
    return !fresh.isEmpty();
  }

  private void sideBySide(List<Node> siblings, Set<Node> fresh) {
    Deque<Node> open = new ArrayDeque<>();
    for (Node node : siblings) {
      if (fresh.contains(node)) continue;
      Node fused = fuseSibling(open, node);
      if (fused != null) {
        fresh.add(fused);
        continue;
      }
      open.addFirst(node);
      if (open.size() > SIBLINGS) open.removeLast();
    }
  }

  /** The histograms over what a map makes, in order; none if anything else needs it. */
  private List<Node> onlyHistograms(Node map) {
    Soac.Screma s = map.exp(Soac.Screma.class);
    if (s == null || !s.isMap() || !graph.has(map)) return List.of();
    Set<Node> users = new LinkedHashSet<>();
    for (Name result : map.stm().names()) users.addAll(graph.users(result));
    for (Name result : map.stm().names()) {
      if (graph.isUsedOutside(result, users)) return List.of();
      if (users.stream().anyMatch(u -> u.uses().others().contains(result))) return List.of();
    }
    if (users.stream().anyMatch(u -> u.exp(Soac.Hist.class) == null)) return List.of();
    return users.stream().sorted(DependenceGraph.IN_ORDER).toList();
  }

  /** What reads an array element by element, in order. */
  private List<Node> readers(Name input) {
    return graph.users(input).stream()
        .filter(u -> u.uses().inputs().contains(input))
        .sorted(DependenceGraph.IN_ORDER)
        .toList();
  }

  /** How many statements a map, with what follows its scans, is of; 0 for other operations. */
  private static int size(Node n) {
    Soac.Screma s = n.exp(Soac.Screma.class);
    return s == null ? 0 : s.map().body().stms().size() + s.post().body().stms().size();
  }

  private @Nullable Node fuseSibling(Deque<Node> earlier, Node node) {
    earlier.removeIf(n -> !graph.has(n));
    for (Node other : earlier) {
      // Others that were fused since may have changed places with them.
      boolean inOrder = other.isBefore(node);
      Node first = inOrder ? other : node;
      Node second = inOrder ? node : other;
      PatElem place = inPlaceAfter(first, second);
      if (place != null) {
        String reason = place.name() + " could not be made in place, before what it goes into";
        remarks.missed(first.stm(), second.stm(), reason);
        continue;
      }
      Node fused = tryFuse(first, second);
      if (fused != null) return fused;
    }
    return null;
  }

  /**
   * A result of a cheap map that is written into an array for which an earlier operation is needed.
   * Memory merging makes such a result where it is written to, unless it is made together with the
   * earlier operation, before the array is there. To copy it then takes longer than to read the
   * common input twice.
   */
  private @Nullable PatElem inPlaceAfter(Node first, Node second) {
    Soac.Screma map = second.exp(Soac.Screma.class);
    if (map == null || !map.isMap() || !IntoLoops.isCheap(map)) return null;
    for (PatElem p : second.stm().pat()) {
      for (Node user : graph.users(p.name())) {
        BasicOp.Update u = user.exp(BasicOp.Update.class);
        if (u == null || !u.value().equals(SubExp.of(p.name()))) break;
        if (graph.isUsedBesides(p.name(), user)) break;
        Node before = graph.definer(u.array());
        if (before != null && needs(before, first)) return p;
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

  /** Fuses two nodes, the first of which comes earlier, unless something is against it. */
  private @Nullable Node tryFuse(Node first, Node second) {
    if (!intoStreams && isOneStream(first, second)) return null;
    String obstacle = obstacle(first, second);
    if (obstacle == null && !remarks.mayGoOn()) return null;
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
   * Why two nodes must not be fused, or null. Their widths are equal, as that of an array that is
   * the one's result or input, and the other's input.
   */
  private @Nullable String obstacle(Node first, Node second) {
    if (!schedule(first).equals(schedule(second)) && !isForBoth(first, second)) {
      return "their attributes differ";
    }
    String kinds = kindObstacle(first, second);
    if (kinds != null) return kinds;
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
      return "something in between needs one for the other";
    }
    return consumptionObstacle(first, second);
  }

  /**
   * Whether what is said of a reduction by an operator on arrays alone may be said of the map that
   * makes these, too: that what is inside is sequential. The results of the map then need no room.
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

  /** What the source says about how to run it: fused, it would be said of both. */
  static List<String> schedule(Node n) {
    return n.stm().aux().attrs().stream().filter(a -> a.startsWith("sequential")).toList();
  }

  private @Nullable String kindObstacle(Node first, Node second) {
    boolean product = first.stm().names().stream().anyMatch(second.uses().inputs()::contains);
    if (first.exp(Soac.Hist.class) != null) {
      if (product) return "a histogram's result is not an input";
      return second.exp(Soac.Hist.class) != null ? null : "one is a histogram";
    }
    if (first.exp(Soac.Screma.class) == null && stream(first) == null) {
      return "the first is no map, scan, reduction, histogram or stream";
    }
    if (second.exp(Soac.Hist.class) != null) {
      if (stream(first) != null) return "a histogram is worth being parallel, and a stream is not";
      if (!screma(first).isMap()) return "histograms are fused with maps only";
      return isNeededBesides(first.stm().pat(), second) ? "its results are needed elsewhere" : null;
    }
    return isOneStream(first, second) ? streamObstacle(first, second) : null;
  }

  private static boolean isOneStream(Node first, Node second) {
    return (stream(first) == null) != (stream(second) == null);
  }

  /**
   * Why a map, scan or reduction is not worth being part of a stream, or null: it gives up being
   * parallel, for which an array must not be made, and it must be cheaper than that.
   */
  private @Nullable String streamObstacle(Node first, Node second) {
    Soac.Screma parallel = stream(first) == null ? screma(first) : screma(second);
    if (!IntoLoops.isCheap(parallel)) return "it is worth being parallel, and a stream is not";
    List<PatElem> arrays = first.stm().pat().subList(totals(first), first.stm().pat().size());
    List<PatElem> saved =
        arrays.stream().filter(p -> second.uses().inputs().contains(p.name())).toList();
    if (saved.isEmpty()) return "a stream would save no array";
    boolean made = isNeededBesides(stream(first) == null ? arrays : saved, second);
    return made ? "its results are needed elsewhere" : null;
  }

  private boolean isNeededBesides(List<PatElem> results, Node user) {
    return results.stream().anyMatch(p -> graph.isUsedBesides(p.name(), user));
  }

  /** How many of its results, the first ones, are not made element by element. */
  private static int totals(Node n) {
    Soac.Stream stream = stream(n);
    if (stream != null) return stream.accs().size();
    Soac.Screma screma = n.exp(Soac.Screma.class);
    return screma == null ? 0 : screma.reduceResults();
  }

  /** Whether one consumes what the other reads, other than element by element. */
  private @Nullable String consumptionObstacle(Node first, Node second) {
    if (second.consumed().isEmpty()) return null;
    Set<Name> produced = new HashSet<>(first.stm().names());
    for (Name read : first.uses().inputs()) {
      if (!graph.isConsumed(read, second)) continue;
      boolean sameElements =
          second.uses().inputs().contains(read)
              && Collections.frequency(Uses.inputs(first.stm().exp()), read) == 1
              && second.uses().inputs().stream()
                  .filter(i -> !i.equals(read) && !produced.contains(i))
                  .noneMatch(i -> aliases.mayShare(i, read));
      if (!sameElements) return read + " is overwritten";
      if (mayGive(first, read)) return "elements of " + read + " would be overwritten";
    }
    for (Name read : first.uses().others()) {
      if (graph.isConsumed(read, second)) return read + " is overwritten";
    }
    return null;
  }

  /** Whether a result may refer to the elements of an input. */
  private static boolean mayGive(Node n, Name input) {
    Soac.Stream stream = stream(n);
    if (stream != null) return StreamFusion.mayGive(stream, input);
    Soac.Screma screma = n.exp(Soac.Screma.class);
    if (screma == null) return true;
    List<Type> results = screma.map().results();
    return !results.stream().allMatch(t -> t instanceof Type.Prim || t instanceof Type.Acc);
  }
}
