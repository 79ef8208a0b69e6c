package futharkc.pass.migration;

import futharkc.core.ir.Exp;
import futharkc.core.ir.FreeNames;
import futharkc.core.ir.Name;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The scalars of a function as vertices of a {@link WeightedGraph}, with the checks that scalars
 * depend on, and the reasons why the host must know scalars.
 */
final class ScalarGraph {
  private final WeightedGraph graph = new WeightedGraph();
  private final Costs costs;
  private final Map<Name, Integer> vertices = new HashMap<>();

  /** The vertices of loops that may move, by the first result. */
  private final Map<Name, Integer> loops = new HashMap<>();

  /** Why the host must know a vertex. */
  private final Map<Integer, String> reasons = new HashMap<>();

  /**
   * The scalars that a check depends on, by certificate; and by each scalar that the host may
   * compute before checks, the scalars of these checks.
   */
  private final Map<Name, Set<Integer>> checked = new HashMap<>();

  /** The body whose scalars are being added. */
  private @Nullable HostBody current;

  ScalarGraph(Costs costs) {
    this.costs = costs;
  }

  /** Returns a new body, whose scalars are the next ones. */
  HostBody body(double frequency) {
    HostBody body = new HostBody(frequency, graph.group());
    graph.kernel(body.group(), Costs.scaled(costs.launch(), frequency));
    current = body;
    return body;
  }

  /** Makes the scalars of a body the next ones. */
  void enter(HostBody body) {
    current = body;
  }

  private HostBody current() {
    return Objects.requireNonNull(current);
  }

  WeightedGraph graph() {
    return graph;
  }

  Costs costs() {
    return costs;
  }

  /** Returns the placement of all scalars. */
  Placements place(Set<Name> literals, Set<Name> guarded) {
    return new Placements(graph, vertices, loops, checked, literals, guarded, reasons);
  }

  /** Returns the vertex of a scalar, or null if the device has no part in the scalar. */
  @Nullable Integer vertex(Name n) {
    return vertices.get(n);
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
    int v = graph.vertex(Costs.scaled(costs.read(), current().frequency()));
    vertices.put(n, v);
    current().vertices().add(v);
    return v;
  }

  void source(int v) {
    graph.source(v, Costs.scaled(costs.read(), current().frequency()));
  }

  void edge(int from, int to) {
    graph.edge(from, to);
  }

  /** Adds the time of a vertex in a thread of the device, and the launch of the thread. */
  private void work(int v, long nanoseconds) {
    graph.addWork(v, Costs.scaled(nanoseconds, current().frequency()));
    graph.member(current().group(), v);
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

  /**
   * Adds scalars that are on the device if one of the operands is not on the host.
   *
   * @param nanoseconds the time of the statement in a thread of the device
   */
  void simple(Stm s, Set<Integer> operands, long nanoseconds) {
    if (operands.isEmpty()) {
      return;
    }
    for (PatElem p : s.pat()) {
      if (isCertificate(p)) {
        checked.put(p.name(), operands);
        continue;
      }
      int v = add(p.name());
      work(v, nanoseconds / s.pat().size());
      for (int o : operands) {
        edge(o, v);
      }
    }
  }

  /**
   * Adds a read of an element. The host reads the element, or the device has it.
   *
   * @param free true if kernels may read the element where it is
   */
  void read(Stm s, List<SubExp> index, boolean free) {
    Set<Integer> operands = operands(index);
    operands.addAll(certificates(s));
    if (isCertificate(s.pat().get(0))) {
      simple(s, operands, costs.load());
      return;
    }
    int v = add(s.pat().get(0).name());
    source(v);
    if (!free || !operands.isEmpty()) {
      work(v, costs.load());
    }
    for (int o : operands) {
      edge(o, v);
    }
  }

  /**
   * Notes that a body of the current body moves as a whole if the device has a condition: the
   * kernel is then one of the current body.
   */
  void movesWith(HostBody body, int condition) {
    graph.unless(body.group(), condition);
    work(condition, 0);
  }

  /**
   * Adds a vertex for a loop of the current body that may move as a whole: the vertex is on the
   * device if the loop is.
   *
   * @param operations scalar operations of the loop that the graph does not have
   */
  int whole(Stm loop, HostBody body, double operations) {
    int v = graph.vertex(MaximumFlow.UNLIMITED);
    graph.addWork(v, Costs.scaled(costs.operation(), operations * current().frequency()));
    graph.unless(body.group(), v);
    graph.member(current().group(), v);
    loops.put(loop.pat().get(0).name(), v);
    return v;
  }

  /** Keeps a loop on the host that may move as a whole. Its scalars may still move. */
  void keepLoop(Stm loop) {
    Integer v = loops.remove(loop.pat().get(0).name());
    if (v != null) {
      graph.drop(v);
    }
  }

  /** Adds an update of an element. A kernel of its own performs it if the device has the index. */
  void update(Stm s, List<SubExp> index) {
    Set<Integer> operands = operands(index);
    operands.addAll(certificates(s));
    if (operands.isEmpty()) {
      return;
    }
    int v = graph.vertex(MaximumFlow.UNLIMITED);
    graph.addWork(v, Costs.scaled(costs.launch(), current().frequency()));
    for (int o : operands) {
      edge(o, v);
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
    simple(s, all, costs.operation());
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
    simple(s, values, costs.operation());
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
