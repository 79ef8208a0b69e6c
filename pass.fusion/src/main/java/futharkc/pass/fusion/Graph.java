package futharkc.pass.fusion;

import futharkc.core.ir.Body;
import futharkc.core.ir.Name;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.analysis.Aliases;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The statements of a body in an order that may change, with what keeps it: a use comes after the
 * definition, and the consumption of an array after all reads of what shares its memory.
 */
final class Graph {
  private final List<Node> order = new ArrayList<>();
  private final Map<Name, Node> definers = new HashMap<>();
  private final Map<Name, Set<Node>> users = new HashMap<>();
  private final Set<Name> results = new HashSet<>();

  Graph(Body body, Aliases aliases) {
    Map<Name, Set<Node>> readers = new HashMap<>();
    for (Stm s : body.stms()) {
      Node node = new Node(s, aliases);
      node.position = order.size();
      order.add(node);
      for (Name n : node.inputs) use(node, n, aliases, readers);
      for (Name n : node.otherUses) use(node, n, aliases, readers);
      for (Name root : node.consumed) {
        for (Node reader : readers.getOrDefault(root, Set.of())) connect(reader, node);
      }
      for (Name n : s.names()) definers.put(n, node);
    }
    for (SubExp r : body.results()) if (r instanceof SubExp.Var v) results.add(v.name());
  }

  private void use(Node node, Name name, Aliases aliases, Map<Name, Set<Node>> readers) {
    Node definer = definers.get(name);
    if (definer != null) connect(definer, node);
    users.computeIfAbsent(name, n -> new LinkedHashSet<>()).add(node);
    for (Name root : aliases.roots(name)) {
      readers.computeIfAbsent(root, n -> new LinkedHashSet<>()).add(node);
    }
  }

  private static void connect(Node from, Node to) {
    if (from == to) return;
    from.successors.add(to);
    to.predecessors.add(from);
  }

  /** The nodes in their current order. */
  List<Node> order() {
    return List.copyOf(order);
  }

  List<Stm> stms() {
    return order.stream().map(n -> n.stm).toList();
  }

  @Nullable Node definer(Name name) {
    return definers.get(name);
  }

  Set<Node> users(Name name) {
    return users.getOrDefault(name, Set.of());
  }

  /** What reads an array element by element, in order. */
  List<Node> readers(Name input) {
    return users(input).stream()
        .filter(u -> u.inputs.contains(input))
        .sorted(Comparator.comparingInt(u -> u.position))
        .toList();
  }

  /** Whether a name is used by another node, or is a result of the body. */
  boolean isUsedBesides(Name name, Node node) {
    return results.contains(name) || users(name).stream().anyMatch(u -> u != node);
  }

  /** Whether a name is used outside of these nodes, or is a result of the body. */
  boolean isUsedOutside(Name name, Set<Node> nodes) {
    return results.contains(name) || users(name).stream().anyMatch(u -> !nodes.contains(u));
  }

  /** Whether a path leads from one node to a later one through a third. */
  boolean isBetween(Node first, Node second) {
    Set<Node> reached = reachedFrom(first, second);
    return second.predecessors.stream().anyMatch(reached::contains);
  }

  /** The nodes on all paths from one node to a later one, in order. */
  List<Node> between(Node first, Node second) {
    Set<Node> reached = reachedFrom(first, second);
    Set<Node> leading = new HashSet<>();
    List<Node> found = new ArrayList<>();
    leading.add(second);
    for (int i = second.position - 1; i > first.position; i--) {
      Node n = order.get(i);
      if (!reached.contains(n) || n.successors.stream().noneMatch(leading::contains)) continue;
      leading.add(n);
      found.add(n);
    }
    return found.reversed();
  }

  /** The nodes that come after one and before another in the current order. */
  List<Node> region(Node first, Node second) {
    return order.subList(first.position + 1, second.position);
  }

  /** What depends on a node, of those between it and a later one. */
  private Set<Node> reachedFrom(Node first, Node second) {
    Set<Node> reached = new HashSet<>();
    for (int i = first.position + 1; i < second.position; i++) {
      Node n = order.get(i);
      if (n.predecessors.contains(first) || n.predecessors.stream().anyMatch(reached::contains)) {
        reached.add(n);
      }
    }
    return reached;
  }

  /**
   * Puts one node in the place of some, on no path between which there are others: after what the
   * last waits for, before what waits for the first.
   *
   * @param old in order
   */
  void replace(List<Node> old, Node fused) {
    Node first = old.getFirst();
    Node last = old.getLast();
    Set<Node> reached = reachedFrom(first, last);
    int from = first.position;
    int to = last.position;
    List<Node> region = new ArrayList<>(order.subList(from, to + 1));
    region.removeAll(old);
    List<Node> sorted = new ArrayList<>();
    for (Node n : region) if (!reached.contains(n)) sorted.add(n);
    sorted.add(fused);
    for (Node n : region) if (reached.contains(n)) sorted.add(n);
    order.subList(from, to + 1).clear();
    order.addAll(from, sorted);
    for (int i = from; i < order.size(); i++) order.get(i).position = i;
    for (Node n : old) takePlace(n, fused);
    for (Name n : fused.stm.names()) definers.put(n, fused);
    for (Name n : fused.inputs) users.computeIfAbsent(n, k -> new LinkedHashSet<>()).add(fused);
    for (Name n : fused.otherUses) users.computeIfAbsent(n, k -> new LinkedHashSet<>()).add(fused);
  }

  /** Edges to the old node are left, but nothing follows them. */
  private void takePlace(Node old, Node fused) {
    old.fused = true;
    for (Node p : old.predecessors) if (!p.fused) connect(p, fused);
    for (Node s : old.successors) if (!s.fused) connect(fused, s);
    for (Name n : old.inputs) users(n).remove(old);
    for (Name n : old.otherUses) users(n).remove(old);
    for (Name n : old.stm.names()) definers.remove(n, old);
  }
}
