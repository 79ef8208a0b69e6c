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
 * The dependence graph of a body (Ferrante, Ottenstein and Warren, 1987), without control: its
 * nodes are the statements, in an order that may change. A statement depends on those that bind
 * what it uses, and on those that read what it consumes, or what shares elements with that.
 *
 * <p>Passes contract it: one statement takes the place of some, on no path between which there are
 * others. So it is made for one body and one pass, and no answer of the analysis cache.
 */
public final class DependenceGraph {
  private final Aliases aliases;
  private final List<SubExp> results;
  private final Set<Name> returned = new HashSet<>();

  /** Each at its position; null where there is none any more, so that the others stay in place. */
  private final List<@Nullable Node> order = new ArrayList<>();

  /** In how many places there is none. */
  private int gaps;

  private final Map<Name, Node> definers = new HashMap<>();
  private final Map<Name, Set<Node>> users = new HashMap<>();

  /** A statement and where it is. */
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
      for (Name n : uses.inputs()) all = all.union(aliases.roots(n));
      for (Name n : uses.others()) all = all.union(aliases.roots(n));
      this.read = all;
    }

    public Stm stm() {
      return stm;
    }

    /** Its expression, if that is of a kind. */
    public <E extends Exp> @Nullable E exp(Class<E> kind) {
      return kind.isInstance(stm.exp()) ? kind.cast(stm.exp()) : null;
    }

    /** The names that it uses, and how. */
    public Uses uses() {
      return uses;
    }

    /** The roots of what it consumes. */
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
      // Of two sets, the second is gone through: what a node has is less than what many nodes have.
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

  /** Nodes as they follow each other. */
  public static final Comparator<Node> IN_ORDER = Comparator.comparingInt(n -> n.position);

  /**
   * Of a body.
   *
   * @param aliases of what is bound there, and around it
   */
  public DependenceGraph(Body body, Aliases aliases) {
    this.aliases = aliases;
    this.results = body.results();
    for (SubExp r : results) if (r instanceof SubExp.Var v) returned.add(v.name());
    for (Stm s : body.stms()) order.add(node(s));
    number(0);
    nodes().forEach(this::learn);
  }

  private Node node(Stm s) {
    return new Node(s, Consumption.of(s, aliases), aliases);
  }

  private void learn(Node node) {
    for (Name n : node.stm.names()) definers.put(n, node);
    for (Name n : node.uses.inputs())
      users.computeIfAbsent(n, k -> new LinkedHashSet<>()).add(node);
    for (Name n : node.uses.others())
      users.computeIfAbsent(n, k -> new LinkedHashSet<>()).add(node);
  }

  private void forget(Node node) {
    node.position = Integer.MAX_VALUE;
    for (Name n : node.stm.names()) definers.remove(n, node);
    for (Name n : node.uses.inputs()) users.getOrDefault(n, new HashSet<>()).remove(node);
    for (Name n : node.uses.others()) users.getOrDefault(n, new HashSet<>()).remove(node);
  }

  private void number(int from) {
    for (int i = from; i < order.size(); i++) put(i, order.get(i));
  }

  private void put(int position, @Nullable Node node) {
    order.set(position, node);
    if (node != null) node.position = position;
  }

  /** The nodes at some positions. */
  private List<Node> nodes(int from, int to) {
    List<Node> found = new ArrayList<>();
    for (Node n : order.subList(from, to)) if (n != null) found.add(n);
    return found;
  }

  /** The statements in their current order. */
  public Body body() {
    return new Body(nodes().stream().map(n -> n.stm).toList(), results);
  }

  /** The nodes in their current order. */
  public List<Node> nodes() {
    return nodes(0, order.size());
  }

  /** Whether a node is still there: no other has taken its place. */
  public boolean has(Node node) {
    return node.position < order.size() && order.get(node.position) == node;
  }

  /** The node that binds a name, if it is bound in this body. */
  public @Nullable Node definer(Name name) {
    return definers.get(name);
  }

  /** The nodes that use a name. */
  public Set<Node> users(Name name) {
    return Collections.unmodifiableSet(users.getOrDefault(name, Set.of()));
  }

  /** Whether a name is used by another node, or is a result of the body. */
  public boolean isUsedBesides(Name name, Node node) {
    return isUsedOutside(name, Set.of(node));
  }

  /** Whether a name is used outside of these nodes, or is a result of the body. */
  public boolean isUsedOutside(Name name, Set<Node> nodes) {
    return returned.contains(name) || !nodes.containsAll(users(name));
  }

  /** The nodes that come after one and before another in the current order. */
  public List<Node> region(Node first, Node second) {
    return nodes(first.position + 1, second.position);
  }

  /** The nodes on all paths from one node to a later one, in order. */
  public List<Node> between(Node first, Node second) {
    return between(first, second, Set.of());
  }

  /**
   * The nodes on all paths from one node to a later one, in order.
   *
   * @param ignored nodes that are taken to be gone
   */
  public List<Node> between(Node first, Node second, Set<Node> ignored) {
    Set<Node> after = dependingOn(first, second, ignored);
    if (after.isEmpty()) return List.of();
    List<Node> found = new ArrayList<>();
    Set<Name> used = new HashSet<>(second.uses.inputs());
    used.addAll(second.uses.others());
    NameSet consumed = second.consumed;
    for (Node n : region(first, second).reversed()) {
      if (!after.contains(n) || !n.leadsTo(used, consumed)) continue;
      used.addAll(n.uses.inputs());
      used.addAll(n.uses.others());
      consumed = consumed.union(n.consumed);
      found.add(n);
    }
    return found.reversed();
  }

  /** Whether there are nodes on paths from one node to a later one. */
  public boolean isAnyBetween(Node first, Node second) {
    Set<Name> bound = new HashSet<>(first.stm.names());
    NameSet read = first.read;
    for (Node n : region(first, second)) {
      if (!n.dependsOn(bound, read)) continue;
      if (second.dependsOn(Set.copyOf(n.stm.names()), n.read)) return true;
      bound.addAll(n.stm.names());
      read = read.union(n.read);
    }
    return false;
  }

  /** What depends on a node, of those between it and a later one. */
  private Set<Node> dependingOn(Node first, Node second, Set<Node> ignored) {
    Set<Node> depending = new HashSet<>();
    Set<Name> bound = new HashSet<>(first.stm.names());
    NameSet read = first.read;
    for (Node n : region(first, second)) {
      if (ignored.contains(n) || !n.dependsOn(bound, read)) continue;
      depending.add(n);
      bound.addAll(n.stm.names());
      read = read.union(n.read);
    }
    return depending;
  }

  /** A name that the first uses and that, or something that shares with it, the second consumes. */
  public @Nullable Name overwritten(Node first, Node second) {
    if (second.consumed.isEmpty()) return null;
    for (Collection<Name> uses : List.of(first.uses.inputs(), first.uses.others())) {
      for (Name n : uses) if (isConsumed(n, second)) return n;
    }
    return null;
  }

  /** Whether a node consumes an array, or something that shares with it. */
  public boolean isConsumed(Name name, Node by) {
    return by.consumed.meets(aliases.roots(name));
  }

  /**
   * Puts one statement in the place of some, on no path between which there are others: after what
   * the last waits for, before what waits for the first.
   *
   * @param old in order
   */
  public Node contract(List<Node> old, Stm stm) {
    Node first = old.getFirst();
    Node last = old.getLast();
    NameSet consumed = NameSet.of();
    for (Node n : old) consumed = consumed.union(n.consumed);
    Node contracted = new Node(stm, consumed, aliases);
    Set<Node> later = dependingOn(first, last, Set.of());
    int from = first.position;
    int to = last.position + 1;
    List<Node> region = region(first, last);
    region.removeAll(old);
    List<Node> sorted = new ArrayList<>();
    for (Node n : region) if (!later.contains(n)) sorted.add(n);
    sorted.add(contracted);
    for (Node n : region) if (later.contains(n)) sorted.add(n);
    old.forEach(this::forget);
    for (int i = from; i < to; i++) {
      put(i, i - from < sorted.size() ? sorted.get(i - from) : null);
    }
    learn(contracted);
    close(old.size() - 1);
    return contracted;
  }

  /** Puts statements in the place of one; the node of the last is given. */
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

  /** Takes away nodes whose results nothing uses. */
  public void remove(Set<Node> gone) {
    List<Node> there = gone.stream().filter(this::has).toList();
    for (Node n : there) order.set(n.position, null);
    there.forEach(this::forget);
    close(there.size());
  }

  /** Closes the gaps, some of which are new, if there are more of them than nodes. */
  private void close(int more) {
    gaps += more;
    if (2 * gaps <= order.size()) return;
    order.removeIf(Objects::isNull);
    gaps = 0;
    number(0);
  }
}
