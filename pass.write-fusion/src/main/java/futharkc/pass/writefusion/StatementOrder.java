package futharkc.pass.writefusion;

import futharkc.core.ir.Body;
import futharkc.core.ir.FreeNames;
import futharkc.core.ir.Name;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.analysis.Aliases;
import futharkc.core.ir.analysis.Consumption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The statements of a body in an order that may change. A statement depends on those that bind what
 * it uses, and on those that read what it consumes.
 */
final class StatementOrder {
  private final Aliases aliases;
  private final List<SubExp> results;
  private final List<Node> nodes = new ArrayList<>();
  private final Map<Name, Node> definers = new HashMap<>();
  private final Map<Name, Set<Node>> users = new HashMap<>();
  private final Set<Name> returned = new HashSet<>();

  /** A statement and where it is. */
  static final class Node {
    final Stm stm;
    final Set<Name> uses;

    /** The roots of what is consumed. */
    final Set<Name> consumes;

    private int position;

    private Node(Stm stm, Aliases aliases) {
      this.stm = stm;
      this.uses = FreeNames.of(stm);
      this.consumes = Consumption.of(stm, aliases);
    }
  }

  StatementOrder(Body body, Aliases aliases) {
    this.aliases = aliases;
    this.results = body.results();
    for (Stm s : body.stms()) {
      Node node = new Node(s, aliases);
      node.position = nodes.size();
      nodes.add(node);
      learn(node);
    }
    for (SubExp r : results) if (r instanceof SubExp.Var v) returned.add(v.name());
  }

  private void learn(Node node) {
    for (Name n : node.stm.names()) definers.put(n, node);
    for (Name n : node.uses) users.computeIfAbsent(n, k -> new LinkedHashSet<>()).add(node);
  }

  private void forget(Node node) {
    for (Name n : node.stm.names()) definers.remove(n, node);
    for (Name n : node.uses) {
      Set<Node> set = users.get(n);
      if (set != null) set.remove(node);
    }
  }

  /** In their current order. */
  List<Node> nodes() {
    return List.copyOf(nodes);
  }

  /** Whether no other node has taken this one's place. */
  boolean has(Node node) {
    return node.position < nodes.size() && nodes.get(node.position) == node;
  }

  Body body() {
    return new Body(nodes.stream().map(l -> l.stm).toList(), results);
  }

  @Nullable Node definer(Name name) {
    return definers.get(name);
  }

  boolean isBefore(Node first, Node second) {
    return first.position < second.position;
  }

  /** Whether another node uses a name, or it is a result of the body. */
  boolean isUsedBesides(Name name, Node node) {
    return returned.contains(name)
        || users.getOrDefault(name, Set.of()).stream().anyMatch(u -> u != node);
  }

  /** Something that the first uses and the second, or what shares with it, writes or consumes. */
  @Nullable Name overwritten(Node first, Node second) {
    if (second.consumes.isEmpty()) return null;
    for (Name n : first.uses) {
      for (Name root : aliases.roots(n)) if (second.consumes.contains(root)) return n;
    }
    return null;
  }

  /**
   * What depends on a node, of those between it and a later one, and whether that does on these.
   */
  private final class Between {
    final Set<Node> reached = new HashSet<>();
    private final Set<Name> names = new HashSet<>();
    private final Set<Name> reads = new HashSet<>();
    final @Nullable Node needed;

    Between(Node first, Node second, Set<Node> ignored) {
      Set<Name> bound = new HashSet<>(first.stm.names());
      Set<Name> read = roots(first);
      for (Node node : nodes.subList(first.position + 1, second.position)) {
        boolean depends =
            node.uses.stream().anyMatch(bound::contains)
                || node.consumes.stream().anyMatch(read::contains);
        if (!depends || ignored.contains(node)) continue;
        reached.add(node);
        names.addAll(node.stm.names());
        reads.addAll(roots(node));
        bound.addAll(node.stm.names());
        read.addAll(roots(node));
      }
      needed = reached.isEmpty() ? null : needed(second);
    }

    private @Nullable Node needed(Node second) {
      boolean depends =
          second.uses.stream().anyMatch(names::contains)
              || second.consumes.stream().anyMatch(reads::contains);
      if (!depends) return null;
      return nodes.subList(0, second.position).reversed().stream()
          .filter(reached::contains)
          .findFirst()
          .orElse(null);
    }

    private Set<Name> roots(Node node) {
      Set<Name> roots = new HashSet<>();
      for (Name n : node.uses) roots.addAll(aliases.roots(n));
      return roots;
    }
  }

  /** A node between two others that needs the first and that the second needs. */
  @Nullable Node between(Node first, Node second) {
    return between(first, second, Set.of());
  }

  /** Likewise, without nodes that are going to go. */
  @Nullable Node between(Node first, Node second, Set<Node> ignored) {
    return new Between(first, second, ignored).needed;
  }

  /** Puts statements in the place of one; the last takes its place. */
  Node replace(Node old, List<Stm> stms) {
    forget(old);
    List<Node> added = stms.stream().map(s -> new Node(s, aliases)).toList();
    int at = old.position;
    nodes.remove(at);
    nodes.addAll(at, added);
    old.position = Integer.MAX_VALUE;
    number(at);
    added.forEach(this::learn);
    return added.getLast();
  }

  /** Takes away nodes whose results nothing uses. */
  void remove(Set<Node> gone) {
    for (Node l : gone) forget(l);
    nodes.removeAll(gone);
    for (Node l : gone) l.position = Integer.MAX_VALUE;
    number(0);
  }

  private void number(int from) {
    for (int i = from; i < nodes.size(); i++) nodes.get(i).position = i;
  }

  /**
   * Puts one statement in the place of two, between which nothing is: after what the second waits
   * for, before what waits for the first.
   */
  Node replace(Node first, Node second, Stm stm) {
    Set<Node> later = new Between(first, second, Set.of()).reached;
    Node fused = new Node(stm, aliases);
    int from = first.position;
    List<Node> region = new ArrayList<>(nodes.subList(from + 1, second.position));
    List<Node> sorted = new ArrayList<>();
    for (Node l : region) if (!later.contains(l)) sorted.add(l);
    sorted.add(fused);
    for (Node l : region) if (later.contains(l)) sorted.add(l);
    nodes.subList(from, second.position + 1).clear();
    nodes.addAll(from, sorted);
    number(from);
    first.position = Integer.MAX_VALUE;
    second.position = Integer.MAX_VALUE;
    forget(first);
    forget(second);
    learn(fused);
    return fused;
  }
}
