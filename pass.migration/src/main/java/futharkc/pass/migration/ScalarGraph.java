package futharkc.pass.migration;

import futharkc.core.ir.Exp;
import futharkc.core.ir.FreeNames;
import futharkc.core.ir.Name;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The scalars of a function as vertices of a {@link FlowGraph}, with the checks that scalars depend
 * on, the loops around scalars, and the reasons why the host must know scalars.
 */
final class ScalarGraph {
  private final FlowGraph graph = new FlowGraph();
  private final Map<Name, Integer> vertices = new HashMap<>();

  /** The loops around the code in which a vertex is computed. */
  private final List<Integer> levels = new ArrayList<>();

  /** Why the host must know a vertex. */
  private final Map<Integer, String> reasons = new HashMap<>();

  /**
   * The scalars that a check depends on, by certificate; and by each scalar that the host may
   * compute before checks, the scalars of these checks.
   */
  private final Map<Name, Set<Integer>> checked = new HashMap<>();

  private final Deque<Subgraph> loops = new ArrayDeque<>();

  /** A loop whose body is being graphed. */
  static final class Subgraph {
    final List<Integer> sources = new ArrayList<>();
    final List<Integer> allSources = new ArrayList<>();

    /** The ends, in the loop, of edges from vertices outside, by vertex outside. */
    final Map<Integer, List<Integer>> incoming = new TreeMap<>();
  }

  /** Routes the sources outside of all loops, and returns the placement of all scalars. */
  Placements place(Set<Name> literals) {
    for (int v : graph.sources()) {
      if (levels.get(v) == 0) {
        graph.route(v);
      }
    }
    return new Placements(graph, graph.resolve(), vertices, checked, literals, reasons);
  }

  FlowGraph graph() {
    return graph;
  }

  /** Returns the vertex of a scalar, or null if the device has no part in the scalar. */
  @Nullable Integer vertex(Name n) {
    return vertices.get(n);
  }

  /** Begins the subgraph of a loop. */
  Subgraph enterLoop() {
    Subgraph inside = new Subgraph();
    loops.push(inside);
    return inside;
  }

  /** Ends the subgraph of the innermost loop. */
  void leaveLoop() {
    loops.pop();
  }

  /** Adds the sources of a finished loop to those of the loop around. */
  void inherit(Subgraph inside) {
    if (!loops.isEmpty()) {
      loops.element().allSources.addAll(inside.allSources);
    }
  }

  static boolean isCertificate(PatElem p) {
    return p.type().isPrim(PrimType.UNIT);
  }

  /** Notes the scalars that a check depends on. */
  void check(Name certificate, Set<Integer> scalars) {
    if (!scalars.isEmpty()) {
      checked.put(certificate, scalars);
    }
  }

  int add(Name n) {
    Integer known = vertices.get(n);
    if (known != null) {
      return known;
    }
    int v = graph.vertex();
    vertices.put(n, v);
    levels.add(loops.size());
    return v;
  }

  void source(int v) {
    graph.source(v);
    if (!loops.isEmpty()) {
      loops.element().sources.add(v);
      loops.element().allSources.add(v);
    }
  }

  void edge(int from, int to) {
    if (graph.isSink(from)) {
      return;
    }
    graph.edge(from, to);
    if (!loops.isEmpty() && levels.get(from) < loops.size() && levels.get(to) == loops.size()) {
      loops.element().incoming.computeIfAbsent(from, k -> new ArrayList<>()).add(to);
    }
  }

  void sink(int v, String reason) {
    if (graph.isSink(v)) {
      return;
    }
    graph.sink(v);
    reasons.put(v, reason);
  }

  void sink(SubExp e, String reason) {
    if (e instanceof SubExp.Var v) {
      sink(v.name(), reason);
    }
  }

  void sink(Name n, String reason) {
    Integer v = vertices.get(n);
    if (v != null) {
      sink(v, reason);
    }
    for (int check : checked.getOrDefault(n, Set.of())) {
      sink(check, reason);
    }
  }

  void sink(List<SubExp> es, String reason) {
    for (SubExp e : es) {
      sink(e, reason);
    }
  }

  /** Adds the vertex of a name to operands, unless the host knows the scalar. */
  void operand(Name n, Set<Integer> operands) {
    Integer v = vertices.get(n);
    if (v != null && !graph.isSink(v)) {
      operands.add(v);
    }
    for (int check : checked.getOrDefault(n, Set.of())) {
      if (!graph.isSink(check)) {
        operands.add(check);
      }
    }
  }

  void operand(SubExp e, Set<Integer> operands) {
    if (e instanceof SubExp.Var v) {
      operand(v.name(), operands);
    }
  }

  Set<Integer> operands(Collection<SubExp> es) {
    Set<Integer> found = new LinkedHashSet<>();
    for (SubExp e : es) {
      operand(e, found);
    }
    return found;
  }

  Set<Integer> certificates(Stm s) {
    Set<Integer> found = new LinkedHashSet<>();
    for (Name c : s.aux().certs()) {
      operand(c, found);
    }
    return found;
  }

  /** Scalars that are on the device if one of the operands is not on the host. */
  void simple(Stm s, Set<Integer> operands) {
    if (operands.isEmpty()) {
      return;
    }
    for (PatElem p : s.pat()) {
      if (isCertificate(p)) {
        checked.put(p.name(), operands);
        continue;
      }
      int v = add(p.name());
      for (int o : operands) {
        edge(o, v);
      }
    }
  }

  void sinkCertificates(Stm s, String reason) {
    for (Name c : s.aux().certs()) {
      sink(c, reason);
    }
  }

  /** Adds a scalar operation that the host must not evaluate before the checks of its operands. */
  void partial(Stm s, List<SubExp> operands) {
    Set<Integer> all = operands(operands);
    all.addAll(certificates(s));
    simple(s, all);
  }

  /**
   * Adds a scalar operation that never fails. The host may evaluate the operation before the device
   * has made the checks of the operands. What may fail or take long waits for these checks.
   */
  void total(Stm s, List<SubExp> operands) {
    Set<Integer> values = new LinkedHashSet<>();
    Set<Integer> checks = new LinkedHashSet<>();
    for (SubExp e : operands) {
      if (!(e instanceof SubExp.Var v)) {
        continue;
      }
      Integer known = vertices.get(v.name());
      if (known != null && !graph.isSink(known)) {
        values.add(known);
      }
      checks.addAll(checks(v.name()));
    }
    checks.addAll(certificates(s));
    simple(s, values);
    for (PatElem p : s.pat()) {
      if (!checks.isEmpty()) {
        checked.put(p.name(), checks);
      }
    }
  }

  /** Adds a result that is one of several operands, chosen by conditions. */
  void result(PatElem p, List<SubExp> given, Set<Integer> conditions) {
    Set<Integer> values = new LinkedHashSet<>(conditions);
    Set<Integer> checks = new LinkedHashSet<>();
    for (SubExp e : given) {
      if (!(e instanceof SubExp.Var v)) {
        continue;
      }
      Integer known = vertices.get(v.name());
      if (known != null && !graph.isSink(known)) {
        values.add(known);
      }
      checks.addAll(checks(v.name()));
    }
    if (isCertificate(p)) {
      checks.addAll(values);
    }
    if (!checks.isEmpty()) {
      checked.put(p.name(), checks);
    }
    if (values.isEmpty() || isCertificate(p)) {
      return;
    }
    int v = add(p.name());
    for (int o : values) {
      edge(o, v);
    }
  }

  Set<Integer> checks(Name n) {
    Set<Integer> open = new LinkedHashSet<>();
    for (int v : checked.getOrDefault(n, Set.of())) {
      if (!graph.isSink(v)) {
        open.add(v);
      }
    }
    return open;
  }

  /** Lets the host wait for the checks that an operand depends on. */
  void awaitChecks(SubExp e, String reason) {
    if (!(e instanceof SubExp.Var v)) {
      return;
    }
    for (int check : checks(v.name())) {
      sink(check, reason);
    }
  }

  void sinkFree(Exp e, String reason) {
    for (Name n : FreeNames.of(e)) {
      sink(n, reason);
    }
  }
}
