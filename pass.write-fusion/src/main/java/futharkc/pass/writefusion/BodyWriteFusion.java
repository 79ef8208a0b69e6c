package futharkc.pass.writefusion;

import futharkc.core.ir.Body;
import futharkc.core.ir.Exp;
import futharkc.core.ir.Name;
import futharkc.core.ir.NameSource;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.Scope;
import futharkc.core.ir.Soac;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Substitution;
import futharkc.core.ir.Type;
import futharkc.core.ir.analysis.Aliases;
import futharkc.core.ir.analysis.DependenceGraph;
import futharkc.core.ir.analysis.DependenceGraph.Node;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Fuses the writes of one body with each other and with the producers of their indices and values.
 */
final class BodyWriteFusion {
  /** The maximal number of arrays that a fused write may write. */
  private static final int MANY = 24;

  /** The maximal distance between two writes, counted in writes, for fusion. */
  private static final int NEAR = 50;

  private final Body body;
  private final DependenceGraph graph;
  private final Aliases aliases;
  private final NameSource names;
  private final WriteFusionRemarks remarks;
  private final IndexProofs proofs;
  private final Scope scope;
  private boolean changed;

  private BodyWriteFusion(
      Body body,
      Aliases aliases,
      IndexProofs proofs,
      Scope scope,
      NameSource names,
      WriteFusionRemarks remarks) {
    this.body = body;
    this.proofs = proofs;
    this.graph = new DependenceGraph(body, aliases);
    this.aliases = aliases;
    this.scope = scope;
    this.names = names;
    this.remarks = remarks;
  }

  /** Returns the body with its writes fused, or the same body if no fusion applies. */
  static Body fuse(
      Body body,
      Aliases aliases,
      IndexProofs proofs,
      Scope scope,
      NameSource names,
      WriteFusionRemarks remarks) {
    return new BodyWriteFusion(body, aliases, proofs, scope, names, remarks).run();
  }

  private Body run() {
    sideBySide();
    for (Node start : graph.nodes()) {
      if (!graph.has(start)) {
        continue;
      }
      for (Node node = start; node != null; ) {
        Write write = Write.of(node.stm());
        node = write == null ? null : withProducer(node, write);
      }
    }
    return changed ? graph.body() : body;
  }

  // Producers

  /**
   * Fuses a write with one of its producers, and returns the fused node; null if no producer
   * qualifies.
   */
  private @Nullable Node withProducer(Node node, Write write) {
    for (Node given : producers(node, write)) {
      Node producer = part(given, node, write);
      String obstacle = obstacle(producer, node, write);
      String pair = producer.stm().names() + " and the write of " + written(write);
      if (obstacle == null && !remarks.mayGoOn()) {
        return null;
      }
      Stm fused = obstacle == null ? fused(producer, node, write) : null;
      if (fused == null) {
        String why = obstacle != null ? obstacle : "a scan or reduction needs the result of a scan";
        remarks.missed(producer.stm(), node.stm(), pair + " not fused: " + why);
        continue;
      }
      changed = true;
      remarks.fused(producer.stm(), node.stm(), "fused " + pair);
      return graph.contract(List.of(producer, node), fused);
    }
    return unflattened(node, write);
  }

  /**
   * Splits a producer that reads an array that the write overwrites. Returns the map without such
   * reads if a split is possible, else the producer.
   */
  private Node part(Node producer, Node node, Write write) {
    if (graph.overwritten(producer, node) == null) {
      return producer;
    }
    Stm consumer = write.taking(producer.stm().names());
    if (consumer == null || between(producer, node) != null) {
      return producer;
    }
    Set<Name> otherUses = write.usesBesides(consumer);
    Split split =
        Split.of(
            producer.stm(),
            n -> !graph.isUsedBesides(n, node) && !otherUses.contains(n),
            n -> graph.isConsumed(n, node),
            names);
    boolean fits =
        split != null
            && write.taking(split.taken().names()) == consumer
            && Composition.obstacle(split.taken(), consumer) == null
            && remarks.mayGoOn();
    if (split == null || !fits) {
      return producer;
    }
    changed = true;
    remarks.applied(producer.stm(), "split the map of " + producer.stm().names());
    return graph.expand(producer, List.of(split.rest(), split.taken()));
  }

  /**
   * Returns the write as a nest over the arrays before flattening; null if that enables no fusion.
   */
  private @Nullable Node unflattened(Node node, Write write) {
    WriteUnflattening flattening = WriteUnflattening.of(graph, scope, node, write);
    if (flattening == null || !remarks.mayGoOn()) {
      return null;
    }
    Stm producer = flattening.producer().stm();
    String pair = producer.names() + ", flattened, and the write of " + written(write);
    String obstacle = flattening.obstacle(node);
    if (obstacle != null) {
      remarks.missed(producer, node.stm(), pair + " not fused: " + obstacle);
      return null;
    }
    List<Stm> stms = new ArrayList<>();
    Stm nest = flattening.nest(aliases, names, stms);
    for (Stm s : stms) {
      scope.add(s);
    }
    stms.add(write.isWhole() ? write.with(flattening.operation(), List.of(nest)) : nest);
    changed = true;
    remarks.applied(node.stm(), "converted to a nest the write of " + written(write));
    Node replaced = graph.expand(node, stms);
    graph.remove(flattening.gone());
    return replaced;
  }

  /** Returns the producers of the inputs of a write's operations, the latest first. */
  private List<Node> producers(Node node, Write write) {
    Set<Node> producers = new LinkedHashSet<>();
    for (Stm s : write.inner()) {
      for (Name input : ((Soac.Screma) s.exp()).inputs()) {
        Node definer = graph.definer(input);
        if (definer == null || definer == node) {
          continue;
        }
        boolean other =
            definer.stm().exp() instanceof Soac.Screma && Write.of(definer.stm()) == null;
        if (other) {
          producers.add(definer);
        }
      }
    }
    List<Node> ordered = new ArrayList<>(producers);
    ordered.sort(DependenceGraph.IN_ORDER.reversed());
    return ordered;
  }

  /** Returns the reason that a write must not be fused with a producer, or null. */
  private @Nullable String obstacle(Node producer, Node node, Write write) {
    Stm consumer = write.taking(producer.stm().names());
    if (consumer == null) {
      return "its result is not an input";
    }
    String alone = Composition.obstacle(producer.stm(), consumer);
    if (alone != null) {
      return alone;
    }
    Set<Name> otherUses = write.usesBesides(consumer);
    for (Name n : producer.stm().names()) {
      if (otherUses.contains(n)) {
        return n + " is needed as a whole";
      }
    }
    Name read = graph.overwritten(producer, node);
    if (read != null) {
      return "it reads " + read + ", which is written";
    }
    return between(producer, node);
  }

  private @Nullable String between(Node first, Node second) {
    List<Node> between = graph.between(first, second);
    return between.isEmpty()
        ? null
        : between.getLast() + " uses the producer, and the write uses that statement";
  }

  private @Nullable Stm fused(Node producer, Node node, Write write) {
    Stm consumer = write.taking(producer.stm().names());
    if (consumer == null) {
      throw new IllegalStateException("no consumer in spite of a producer");
    }
    Set<Name> kept = new HashSet<>();
    for (Name n : producer.stm().names()) {
      if (graph.isUsedBesides(n, node)) {
        kept.add(n);
      }
    }
    if (!write.isWhole()) {
      return Composition.of(producer.stm(), consumer, kept::contains, aliases, names);
    }
    Map<Name, Name> inside = new HashMap<>();
    Stm moved = Write.renamed(producer.stm(), inside, names);
    Map<Name, SubExp> renamed = new HashMap<>();
    inside.forEach((outer, inner) -> renamed.put(outer, SubExp.of(inner)));
    Stm taking = new Substitution(renamed).stm(consumer);
    Set<Name> keptInside = new HashSet<>();
    List<PatElem> further = new ArrayList<>();
    for (PatElem p : producer.stm().pat()) {
      if (!kept.contains(p.name())) {
        continue;
      }
      further.add(p);
      keptInside.add(inside.getOrDefault(p.name(), p.name()));
    }
    Stm all = Composition.of(moved, taking, keptInside::contains, aliases, names);
    return all == null ? null : write.with(consumer, all, further, inside);
  }

  private static String written(Write write) {
    List<Name> arrays = new ArrayList<>();
    switch (write.stm().exp()) {
      case Exp.WithAcc w -> arrays.addAll(write.stm().names().subList(0, Write.arrays(w)));
      default -> {
        for (PatElem p : write.stm().pat()) {
          if (p.type() instanceof Type.Acc) {
            arrays.add(p.name());
          }
        }
      }
    }
    return arrays.toString();
  }

  // Writes with each other

  /** Fuses each write with later writes. */
  private void sideBySide() {
    List<Node> writes = new ArrayList<>();
    for (Node node : graph.nodes()) {
      if (Write.of(node.stm()) != null) {
        writes.add(node);
      }
    }
    for (int i = 0; i < writes.size(); i++) {
      Node first = writes.get(i);
      for (int j = i + 1; j < Math.min(writes.size(), i + NEAR); j++) {
        Node fused = sideBySide(first, writes.get(j));
        if (fused == null) {
          continue;
        }
        writes.set(i, fused);
        writes.remove(j--);
        first = fused;
      }
    }
  }

  private @Nullable Node sideBySide(Node a, Node b) {
    Node first = a.isBefore(b) ? a : b;
    Node second = first == a ? b : a;
    Write one = Write.of(first.stm());
    Write other = Write.of(second.stm());
    if (one == null || other == null || one.isWhole() != other.isWhole()) {
      return null;
    }
    String pair = "the writes of " + written(one) + " and " + written(other);
    SameTarget same = SameTarget.of(first.stm(), second.stm());
    if (same != null) {
      return sameTarget(first, second, same, pair);
    }
    String obstacle = obstacle(first, one, second, other);
    if (obstacle == null && !remarks.mayGoOn()) {
      return null;
    }
    Stm fused = obstacle == null ? sideBySide(one, other) : null;
    if (fused == null) {
      String why = obstacle != null ? obstacle : "a scan or reduction needs the result of a scan";
      remarks.missed(first.stm(), second.stm(), pair + " not fused: " + why);
      return null;
    }
    changed = true;
    remarks.fused(first.stm(), second.stm(), "fused " + pair);
    return graph.contract(List.of(first, second), fused);
  }

  /** Replaces two writes of the same array by one. */
  private @Nullable Node sameTarget(Node first, Node second, SameTarget same, String pair) {
    String obstacle = same.obstacle(proofs);
    for (Name n : first.stm().names()) {
      if (obstacle == null && graph.isUsedBesides(n, second)) {
        obstacle = n + " has other uses";
      }
    }
    if (obstacle == null) {
      obstacle = between(first, second);
    }
    if (obstacle == null && !remarks.mayGoOn()) {
      return null;
    }
    Stm fused = obstacle == null ? same.fused(aliases, names) : null;
    if (fused == null) {
      String why = obstacle != null ? obstacle : "a scan or reduction needs the result of a scan";
      remarks.missed(first.stm(), second.stm(), pair + " not fused: " + why);
      return null;
    }
    changed = true;
    remarks.fused(
        first.stm(),
        second.stm(),
        same.isOverwritten()
            ? pair + ": removed the first, which the second overwrites"
            : "fused " + pair);
    return graph.contract(List.of(first, second), fused);
  }

  private @Nullable String obstacle(Node first, Write one, Node second, Write other) {
    if (one.inner().size() != 1 || other.inner().size() != 1) {
      return "one contains several operations";
    }
    int arrays = first.consumed().size() + second.consumed().size();
    if (arrays > MANY) {
      return "the fused write would have too many arrays";
    }
    for (Name n : first.stm().names()) {
      if (second.uses(n)) {
        return "the second uses " + n;
      }
    }
    Name read = graph.overwritten(first, second);
    if (read != null) {
      return "the first uses " + read + ", which the second writes";
    }
    String alone = Composition.obstacle(one.inner().get(0), other.inner().get(0));
    if (alone != null) {
      return alone;
    }
    String between = between(first, second);
    if (between != null) {
      return between;
    }
    String lost = lostProducer(first, one, second);
    return lost != null ? lost : lostProducer(second, other, first);
  }

  /**
   * Returns the reason that a fusion of two writes would prevent the removal of a producer; null if
   * there is none. Such a producer can be fused with one of the writes, but not with both.
   */
  private @Nullable String lostProducer(Node node, Write write, Node other) {
    for (Node producer : producers(node, write)) {
      if (graph.overwritten(producer, other) == null) {
        continue;
      }
      boolean vanishes =
          producer.stm().names().stream().noneMatch(n -> graph.isUsedBesides(n, node));
      if (vanishes && obstacle(producer, node, write) == null) {
        return producer.stm().names() + " can only be fused with one of them";
      }
    }
    return null;
  }

  private @Nullable Stm sideBySide(Write one, Write other) {
    Stm a = one.inner().get(0);
    Stm b = other.inner().get(0);
    if (!one.isWhole()) {
      return Composition.of(a, b, n -> true, aliases, names);
    }
    Stm both = Write.sideBySide(one.stm(), other.stm());
    Exp.WithAcc w = (Exp.WithAcc) both.exp();
    DependenceGraph inside =
        new DependenceGraph(w.lambda().body(), aliases.with(w.lambda().body().stms()));
    Node first = null;
    Node second = null;
    for (Node l : inside.nodes()) {
      if (l.stm() == a) {
        first = l;
      }
      if (l.stm() == b) {
        second = l;
      }
    }
    if (first == null || second == null || !inside.between(first, second).isEmpty()) {
      return null;
    }
    Stm fused = Composition.of(a, b, n -> true, aliases, names);
    if (fused == null) {
      return null;
    }
    inside.contract(List.of(first, second), fused);
    return both.withExp(
        new Exp.WithAcc(
            w.inputs(),
            new futharkc.core.ir.Lambda(w.lambda().params(), inside.body(), w.lambda().results())));
  }
}
