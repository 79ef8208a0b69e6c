package futharkc.core.ir.analysis;

import futharkc.core.ir.Body;
import futharkc.core.ir.Exp;
import futharkc.core.ir.Name;
import futharkc.core.ir.NameSet;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The data dependence graph of a body (Ferrante, Ottenstein and Warren, 1987). Its nodes are
 * statements in an order that may change. A statement depends on the statements that bind its
 * operands, and on the statements that read arrays which it, or an alias, consumes.
 *
 * <p>Passes contract the graph: one statement replaces several, provided that no other node is on a
 * path between them. A graph belongs to one body and one pass, so it is not an analysis in the
 * cache.
 */
public final class DependenceGraph {
  private final Aliases aliases;
  private final List<SubExp> results;
  private final Set<Name> returned = new HashSet<>();

  /**
   * The node at each position, or null for a gap. Gaps keep the positions of other nodes stable.
   */
  private final List<@Nullable Node> order = new ArrayList<>();

  /** The number of gaps. */
  private int gaps;

  private final Map<Name, Node> definers = new HashMap<>();
  private final Map<Name, Set<Node>> users = new HashMap<>();

  /** A statement and its position. */
  public static final class Node {
    private final Stm stm;
    private final Uses uses;
    private final NameSet consumed;
    private final NameSet read;
    private int position;

    private Node(Stm stm, NameSet consumed, Aliases aliases) {
      this.stm = stm;
      this.uses = Uses.of(stm);
      this.consumed = consumed;
      NameSet all = NameSet.of();
      for (Name n : uses.inputs()) {
        all = all.union(aliases.roots(n));
      }
      for (Name n : uses.others()) {
        all = all.union(aliases.roots(n));
      }
      this.read = all;
    }

    public Stm stm() {
      return stm;
    }

    /** Returns the expression if it is of the given class, otherwise null. */
    public <E extends Exp> @Nullable E exp(Class<E> kind) {
      return kind.isInstance(stm.exp()) ? kind.cast(stm.exp()) : null;
    }

    /** Returns the names that the statement uses, by kind of use. */
    public Uses uses() {
      return uses;
    }

    /** Returns the roots that the statement consumes. */
    public NameSet consumed() {
      return consumed;
    }

    public boolean uses(Name n) {
      return uses.inputs().contains(n) || uses.others().contains(n);
    }

    public boolean isBefore(Node other) {
      return position < other.position;
    }

    private boolean dependsOn(Set<Name> bound, NameSet reads) {
      // The smaller set, that of one node, is the argument that gets traversed.
      return !Collections.disjoint(bound, uses.inputs())
          || !Collections.disjoint(bound, uses.others())
          || reads.meets(consumed);
    }

    private boolean leadsTo(Set<Name> used, NameSet consumed) {
      return stm.names().stream().anyMatch(used::contains) || read.meets(consumed);
    }

    @Override
    public String toString() {
      return stm.names().toString();
    }
  }

  /** A comparator of nodes by position. */
  public static final Comparator<Node> IN_ORDER = Comparator.comparingInt(n -> n.position);

  /**
   * Makes the dependence graph of a body.
   *
   * @param aliases the aliases of arrays in the body and around it
   */
  public DependenceGraph(Body body, Aliases aliases) {
    this.aliases = aliases;
    this.results = body.results();
    for (SubExp r : results) {
      if (r instanceof SubExp.Var v) {
        returned.add(v.name());
      }
    }
    for (Stm s : body.stms()) {
      order.add(node(s));
    }
    number(0);
    nodes().forEach(this::learn);
  }

  private Node node(Stm s) {
    return new Node(s, Consumption.of(s, aliases), aliases);
  }

  private void learn(Node node) {
    for (Name n : node.stm.names()) {
      definers.put(n, node);
    }
    for (Name n : node.uses.inputs()) {
      users.computeIfAbsent(n, k -> new LinkedHashSet<>()).add(node);
    }
    for (Name n : node.uses.others()) {
      users.computeIfAbsent(n, k -> new LinkedHashSet<>()).add(node);
    }
  }

  private void forget(Node node) {
    node.position = Integer.MAX_VALUE;
    for (Name n : node.stm.names()) {
      definers.remove(n, node);
    }
    for (Name n : node.uses.inputs()) {
      users.getOrDefault(n, new HashSet<>()).remove(node);
    }
    for (Name n : node.uses.others()) {
      users.getOrDefault(n, new HashSet<>()).remove(node);
    }
  }

  private void number(int from) {
    for (int i = from; i < order.size(); i++) {
      put(i, order.get(i));
    }
  }

  private void put(int position, @Nullable Node node) {
    order.set(position, node);
    if (node != null) {
      node.position = position;
    }
  }

  /** Returns the nodes in a range of positions. */
  private List<Node> nodes(int from, int to) {
    List<Node> found = new ArrayList<>();
    for (Node n : order.subList(from, to)) {
      if (n != null) {
        found.add(n);
      }
    }
    return found;
  }

  /** Returns the body with the statements in their current order. */
  public Body body() {
    return new Body(nodes().stream().map(n -> n.stm).toList(), results);
  }

  /** Returns the nodes in their current order. */
  public List<Node> nodes() {
    return nodes(0, order.size());
  }

  /** Tests whether a node is still part of the graph. */
  public boolean has(Node node) {
    return node.position < order.size() && order.get(node.position) == node;
  }

  /** Returns the node that binds a name, or null if the body does not bind it. */
  public @Nullable Node definer(Name name) {
    return definers.get(name);
  }

  /** Returns the nodes that use a name. */
  public Set<Node> users(Name name) {
    return Collections.unmodifiableSet(users.getOrDefault(name, Set.of()));
  }

  /** Tests whether another node uses a name, or the name is a result of the body. */
  public boolean isUsedBesides(Name name, Node node) {
    return isUsedOutside(name, Set.of(node));
  }

  /**
   * Tests whether a node outside the given set uses a name, or the name is a result of the body.
   */
  public boolean isUsedOutside(Name name, Set<Node> nodes) {
    return returned.contains(name) || !nodes.containsAll(users(name));
  }

  /** Returns the nodes after {@code first} and before {@code second} in the current order. */
  public List<Node> region(Node first, Node second) {
    return nodes(first.position + 1, second.position);
  }

  /** Returns the nodes on all paths from a node to a later one, in order. */
  public List<Node> between(Node first, Node second) {
    return between(first, second, Set.of());
  }

  /**
   * Returns the nodes on all paths from a node to a later one, in order, without paths through
   * ignored nodes.
   */
  public List<Node> between(Node first, Node second, Set<Node> ignored) {
    Set<Node> after = dependingOn(first, second, ignored);
    if (after.isEmpty()) {
      return List.of();
    }
    List<Node> found = new ArrayList<>();
    Set<Name> used = new HashSet<>(second.uses.inputs());
    used.addAll(second.uses.others());
    NameSet consumed = second.consumed;
    for (Node n : region(first, second).reversed()) {
      if (!after.contains(n) || !n.leadsTo(used, consumed)) {
        continue;
      }
      used.addAll(n.uses.inputs());
      used.addAll(n.uses.others());
      consumed = consumed.union(n.consumed);
      found.add(n);
    }
    return found.reversed();
  }

  /** Tests whether a path from a node to a later one contains another node. */
  public boolean isAnyBetween(Node first, Node second) {
    Set<Name> bound = new HashSet<>(first.stm.names());
    NameSet read = first.read;
    for (Node n : region(first, second)) {
      if (!n.dependsOn(bound, read)) {
        continue;
      }
      if (second.dependsOn(Set.copyOf(n.stm.names()), n.read)) {
        return true;
      }
      bound.addAll(n.stm.names());
      read = read.union(n.read);
    }
    return false;
  }

  /** Returns the nodes before {@code second} that depend on {@code first}. */
  private Set<Node> dependingOn(Node first, Node second, Set<Node> ignored) {
    Set<Node> depending = new HashSet<>();
    Set<Name> bound = new HashSet<>(first.stm.names());
    NameSet read = first.read;
    for (Node n : region(first, second)) {
      if (ignored.contains(n) || !n.dependsOn(bound, read)) {
        continue;
      }
      depending.add(n);
      bound.addAll(n.stm.names());
      read = read.union(n.read);
    }
    return depending;
  }

  /** Returns a name that the first node uses and whose roots the second node consumes, or null. */
  public @Nullable Name overwritten(Node first, Node second) {
    if (second.consumed.isEmpty()) {
      return null;
    }
    for (Collection<Name> uses : List.of(first.uses.inputs(), first.uses.others())) {
      for (Name n : uses) {
        if (isConsumed(n, second)) {
          return n;
        }
      }
    }
    return null;
  }

  /** Tests whether a node consumes an array or an alias of it. */
  public boolean isConsumed(Name name, Node by) {
    return by.consumed.meets(aliases.roots(name));
  }

  /**
   * Replaces nodes by one statement. No other node may be on a path between them. The new node
   * follows the dependences of the last node and precedes the dependents of the first.
   *
   * @param old the replaced nodes, in order
   */
  public Node contract(List<Node> old, Stm stm) {
    Node first = old.getFirst();
    Node last = old.getLast();
    NameSet consumed = NameSet.of();
    for (Node n : old) {
      consumed = consumed.union(n.consumed);
    }
    Node contracted = new Node(stm, consumed, aliases);
    Set<Node> later = dependingOn(first, last, Set.of());
    int from = first.position;
    int to = last.position + 1;
    List<Node> region = region(first, last);
    region.removeAll(old);
    List<Node> sorted = new ArrayList<>();
    for (Node n : region) {
      if (!later.contains(n)) {
        sorted.add(n);
      }
    }
    sorted.add(contracted);
    for (Node n : region) {
      if (later.contains(n)) {
        sorted.add(n);
      }
    }
    old.forEach(this::forget);
    for (int i = from; i < to; i++) {
      put(i, i - from < sorted.size() ? sorted.get(i - from) : null);
    }
    learn(contracted);
    close(old.size() - 1);
    return contracted;
  }

  /** Replaces a node by several statements and returns the node of the last. */
  public Node expand(Node old, List<Stm> stms) {
    List<Node> added = stms.stream().map(this::node).toList();
    int at = old.position;
    order.remove(at);
    order.addAll(at, added);
    forget(old);
    number(at);
    added.forEach(this::learn);
    return added.getLast();
  }

  /** Removes nodes whose results are unused. */
  public void remove(Set<Node> gone) {
    List<Node> there = gone.stream().filter(this::has).toList();
    for (Node n : there) {
      order.set(n.position, null);
    }
    there.forEach(this::forget);
    close(there.size());
  }

  /**
   * Closes the gaps if they outnumber the nodes.
   *
   * @param more the number of new gaps
   */
  private void close(int more) {
    gaps += more;
    if (2 * gaps <= order.size()) {
      return;
    }
    order.removeIf(Objects::isNull);
    gaps = 0;
    number(0);
  }
}
