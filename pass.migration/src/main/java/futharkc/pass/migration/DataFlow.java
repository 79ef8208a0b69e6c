package futharkc.pass.migration;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.Exp;
import futharkc.core.ir.FreeNames;
import futharkc.core.ir.FunDef;
import futharkc.core.ir.HostOp;
import futharkc.core.ir.Lambda;
import futharkc.core.ir.Mapper;
import futharkc.core.ir.MemOp;
import futharkc.core.ir.Name;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.SegExp;
import futharkc.core.ir.Slice;
import futharkc.core.ir.Soac;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The flow of scalars through the host code of one function: which scalars the device produces,
 * which scalars the host must know, and which scalars are computed from which. The host code of
 * loops is a subgraph of its own: its reads are routed before the loop is connected to the code
 * around, so that no read of an iteration is traded for a read outside.
 *
 * <p>Source: P. J. Børgesen, Reducing Synchronous GPU Memory Transfers, 2022, section 4.5.
 */
final class DataFlow {
  private final FlowGraph graph = new FlowGraph();
  private final DeviceCode device;
  private final Settings settings;
  private final Map<Name, Integer> vertices = new HashMap<>();

  /** The loops around the code in which a vertex is computed. */
  private final List<Integer> levels = new ArrayList<>();

  /**
   * The depths of the bodies that bind scalars, by scalar; the body of the function has depth 0.
   */
  private final Map<Name, Integer> depths = new HashMap<>();

  /** Why the host must know a vertex. */
  private final Map<Integer, String> reasons = new HashMap<>();

  /**
   * The scalars that a check depends on, by certificate; and by each scalar that the host may
   * compute before checks, the scalars of these checks.
   */
  private final Map<Name, Set<Integer>> checked = new HashMap<>();

  /** Array literals that move whatever the cut is. */
  private final Set<Name> literals = new HashSet<>();

  /**
   * The depth of the outermost body around each array literal, by array. A branch or loop that
   * moves may return the array, since the literal moves with it.
   */
  private final Map<Name, Integer> literalDepths = new HashMap<>();

  /** All names that the function uses. */
  private final Set<Name> used = new HashSet<>();

  private final Deque<Region> regions = new ArrayDeque<>();
  private final Deque<Subgraph> loops = new ArrayDeque<>();

  /** A body, with the reason that keeps the body and its statement on the host. */
  private static final class Region {
    private @Nullable String hostOnly;
  }

  /** A loop whose body is being graphed. */
  private static final class Subgraph {
    private final List<Integer> sources = new ArrayList<>();
    private final List<Integer> allSources = new ArrayList<>();

    /** The ends, in the loop, of edges from vertices outside, by vertex outside. */
    private final Map<Integer, List<Integer>> incoming = new TreeMap<>();
  }

  private DataFlow(DeviceCode device, Settings settings) {
    this.device = device;
    this.settings = settings;
  }

  /** Returns the placement of all scalars of a function. */
  static Placements of(FunDef f, DeviceCode device, Settings settings) {
    DataFlow flow = new DataFlow(device, settings);
    flow.function(f);
    return new Placements(
        flow.graph, flow.graph.resolve(), flow.vertices, flow.checked, flow.literals, flow.reasons);
  }

  private static final Lambda NOTHING =
      new Lambda(List.of(), new Body(List.of(), List.of()), List.of());

  // The graph

  private int depth() {
    return regions.size() - 1;
  }

  private int add(Name n) {
    Integer known = vertices.get(n);
    if (known != null) {
      return known;
    }
    int v = graph.vertex();
    vertices.put(n, v);
    levels.add(loops.size());
    return v;
  }

  private void source(int v) {
    graph.source(v);
    if (!loops.isEmpty()) {
      loops.element().sources.add(v);
      loops.element().allSources.add(v);
    }
  }

  private void edge(int from, int to) {
    if (graph.isSink(from)) {
      return;
    }
    graph.edge(from, to);
    if (!loops.isEmpty() && levels.get(from) < loops.size() && levels.get(to) == loops.size()) {
      loops.element().incoming.computeIfAbsent(from, k -> new ArrayList<>()).add(to);
    }
  }

  private void sink(int v, String reason) {
    if (graph.isSink(v)) {
      return;
    }
    graph.sink(v);
    reasons.put(v, reason);
  }

  private void sink(SubExp e, String reason) {
    if (e instanceof SubExp.Var v) {
      sink(v.name(), reason);
    }
  }

  private void sink(Name n, String reason) {
    Integer v = vertices.get(n);
    if (v != null) {
      sink(v, reason);
    }
    for (int check : checked.getOrDefault(n, Set.of())) {
      sink(check, reason);
    }
  }

  private void sink(List<SubExp> es, String reason) {
    for (SubExp e : es) {
      sink(e, reason);
    }
  }

  /** Keeps a size on the host, and with the size the body that binds it. */
  private void size(Name n) {
    sink(n, "is the size of an array");
    int bound = depths.getOrDefault(n, 0);
    if (bound == 0) {
      return;
    }
    int at = depth();
    for (Region r : regions) {
      if (at-- <= bound) {
        r.hostOnly = "the size of an array is computed in it";
      }
    }
  }

  private void sizes(Collection<Name> names) {
    names.forEach(this::size);
  }

  /** Adds the vertex of a name to operands, unless the host knows the scalar. */
  private void operand(Name n, Set<Integer> operands) {
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

  private void operand(SubExp e, Set<Integer> operands) {
    if (e instanceof SubExp.Var v) {
      operand(v.name(), operands);
    }
  }

  private Set<Integer> operands(Collection<SubExp> es) {
    Set<Integer> found = new LinkedHashSet<>();
    for (SubExp e : es) {
      operand(e, found);
    }
    return found;
  }

  private Set<Integer> certificates(Stm s) {
    Set<Integer> found = new LinkedHashSet<>();
    for (Name c : s.aux().certs()) {
      operand(c, found);
    }
    return found;
  }

  /** Scalars that are on the device if one of the operands is not on the host. */
  private void simple(Stm s, Set<Integer> operands) {
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

  private void hostOnly(String why) {
    Region r = regions.element();
    if (r.hostOnly == null) {
      r.hostOnly = why;
    }
  }

  private void sinkCertificates(Stm s, String reason) {
    for (Name c : s.aux().certs()) {
      sink(c, reason);
    }
  }

  // Functions and bodies

  private void function(FunDef f) {
    new Mapper() {
      @Override
      public Name name(Name use) {
        used.add(use);
        return use;
      }
    }.body(f.body());
    regions.push(new Region());
    stms(f.body().stms());
    for (int k = 0; k < f.results().size(); k++) {
      FunDef.Result r = f.results().get(k);
      if (r.type() instanceof Type.Prim) {
        Integer v =
            f.body().results().get(k) instanceof SubExp.Var n ? vertices.get(n.name()) : null;
        if (v != null) {
          sink(v, "is a result of the function");
        }
      }
    }
    regions.pop();
    for (int v : graph.sources()) {
      if (levels.get(v) == 0) {
        graph.route(v);
      }
    }
  }

  private void stms(List<Stm> stms) {
    for (Stm s : stms) {
      stm(s);
    }
  }

  private void stm(Stm s) {
    for (PatElem p : s.pat()) {
      if (p.type() instanceof Type.Prim) {
        depths.put(p.name(), depth());
      }
    }
    sizes(Sizes.ofPattern(s));
    switch (s.exp()) {
      case BasicOp op -> basicOp(s, op);
      case Exp.Apply a -> {
        if (device.mayCall(a.function())) {
          Set<Integer> operands = operands(a.args());
          operands.addAll(certificates(s));
          simple(s, operands);
        } else {
          sink(a.args(), "is an argument of " + a.function());
          sinkCertificates(s, "is checked before the host calls " + a.function());
          hostOnly("the host calls " + a.function());
        }
      }
      case Exp.Match m -> match(s, m);
      case Exp.Loop l -> loop(s, l);
      case Exp.WithAcc w -> withAcc(s, w);
      case SegExp.Seg x -> {
        for (Name n : Sizes.of(x)) {
          sink(n, "is a size or a neutral element of a kernel");
        }
        hostOnly("it launches a kernel");
      }
      case HostOp h -> {
        for (Name n : FreeNames.of(h)) {
          sink(n, "is used by an operation of the host");
        }
        hostOnly("it has an operation of the host");
      }
      case SegExp.ParOp _, Soac _, MemOp _ -> {
        for (Name n : FreeNames.of(s)) {
          sink(n, "is used by an operation of the host");
        }
        hostOnly("it has an operation of the host");
      }
    }
  }

  // Operations

  private static boolean isConstant(SubExp e, long value) {
    return e.isInt(value);
  }

  /** Tests whether a type is that of a scalar or of an array with one element. */
  static boolean isSingle(Type t) {
    return switch (t) {
      case Type.Prim _ -> true;
      case Type.Array a -> a.shape().stream().allMatch(d -> isConstant(d, 1));
      case Type.Acc _, Type.Mem _ -> false;
    };
  }

  private void basicOp(Stm s, BasicOp op) {
    PatElem p = s.pat().get(0);
    switch (op) {
      case BasicOp.SubExpOp x -> {
        if (p.type() instanceof Type.Prim) {
          total(s, List.of(x.value()));
        } else {
          view(s, x.value());
        }
      }
      case BasicOp.Opaque x -> {
        if (!(x.tag() instanceof BasicOp.Tag.Barrier)) {
          hosted(s, List.of(x.value()), "is traced");
        } else if (p.type() instanceof Type.Prim) {
          total(s, List.of(x.value()));
        } else {
          view(s, x.value());
        }
      }
      case BasicOp.ArrayVal _ -> {
        if (!isSingle(p.type())) {
          hostOnly("it makes an array");
        }
      }
      case BasicOp.ArrayLit x -> literal(s, x);
      case BasicOp.BinOpExp x -> {
        if (x.op().isPartial()) {
          partial(s, List.of(x.left(), x.right()));
        } else {
          total(s, List.of(x.left(), x.right()));
        }
      }
      case BasicOp.UnOpExp x -> total(s, List.of(x.operand()));
      case BasicOp.CmpOpExp x -> total(s, List.of(x.left(), x.right()));
      case BasicOp.ConvOpExp x -> total(s, List.of(x.operand()));
      case BasicOp.PrimFunExp x -> total(s, x.args());
      case BasicOp.Assert x -> check(s, x);
      case BasicOp.Index x -> {
        List<SubExp> at = operandsOf(x.slice());
        if (p.type() instanceof Type.Prim) {
          partial(s, at);
          if (!isCertificate(p)) {
            source(add(p.name()));
          }
        } else {
          sink(at, "selects a part of an array");
          sinkCertificates(s, "is checked before a part of an array is selected");
          view(s, SubExp.of(x.array()));
        }
      }
      case BasicOp.Update x -> {
        sink(operandsOf(x.slice()), "selects the part of an array that is replaced");
        sinkCertificates(s, "is checked before an array is updated");
        if (x.slice().isElement()) {
          if (x.safe()) {
            sink(x.value(), "is written at an index that may be out of range");
          }
        } else {
          boolean one = x.slice().shape().stream().allMatch(d -> isConstant(d, 1));
          if (!one) {
            hostOnly("it copies a part of an array");
          }
        }
        view(s, SubExp.of(x.array()));
      }
      case BasicOp.FlatIndex x -> {
        sinkFree(x, "selects a part of an array");
        sinkCertificates(s, "is checked before a part of an array is selected");
        view(s, SubExp.of(x.array()));
      }
      case BasicOp.FlatUpdate x -> {
        sinkFree(x, "selects the part of an array that is replaced");
        sinkCertificates(s, "is checked before an array is updated");
        hostOnly("it copies a part of an array");
      }
      case BasicOp.Reshape x -> {
        sinkCertificates(s, "is checked before an array gets another shape");
        view(s, SubExp.of(x.array()));
      }
      case BasicOp.Rearrange x -> view(s, SubExp.of(x.array()));
      case BasicOp.Concat x -> hosted(s, List.of(x.size()), "is the size of an array");
      case BasicOp.Manifest _ -> hosted(s, List.of(), "");
      case BasicOp.Iota x ->
          hosted(s, List.of(x.count(), x.start(), x.stride()), "is an operand of iota");
      case BasicOp.Replicate x -> {
        if (isSingle(p.type()) && x.shape().size() == p.type().rank()) {
          partial(s, List.of(x.value()));
        } else {
          hosted(s, x.shape(), "is the size of an array");
        }
      }
      case BasicOp.Scratch x -> hosted(s, x.shape(), "is the size of an array");
      case BasicOp.UpdateAcc x -> {
        List<SubExp> all = new ArrayList<>(x.index());
        all.addAll(x.values());
        hosted(s, all, "is written to an accumulator by the host");
      }
      case BasicOp.UserParam x -> hosted(s, List.of(x.defaultValue()), "is a tuning parameter");
    }
  }

  /** Adds a scalar operation that the host must not evaluate before the checks of its operands. */
  private void partial(Stm s, List<SubExp> operands) {
    Set<Integer> all = operands(operands);
    all.addAll(certificates(s));
    simple(s, all);
  }

  /**
   * Adds a scalar operation that never fails. The host may evaluate the operation before the device
   * has made the checks of the operands. What may fail or take long waits for these checks.
   */
  private void total(Stm s, List<SubExp> operands) {
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
  private void result(PatElem p, List<SubExp> given, Set<Integer> conditions) {
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

  private Set<Integer> checks(Name n) {
    Set<Integer> open = new LinkedHashSet<>();
    for (int v : checked.getOrDefault(n, Set.of())) {
      if (!graph.isSink(v)) {
        open.add(v);
      }
    }
    return open;
  }

  /** Lets the host wait for the checks that an operand depends on. */
  private void awaitChecks(SubExp e, String reason) {
    if (!(e instanceof SubExp.Var v)) {
      return;
    }
    for (int check : checks(v.name())) {
      sink(check, reason);
    }
  }

  /** Adds an operation that only the host performs. */
  private void hosted(Stm s, List<SubExp> operands, String reason) {
    sink(operands, reason);
    sinkCertificates(s, "is checked before an operation of the host");
    hostOnly("it makes or copies an array");
  }

  private void sinkFree(Exp e, String reason) {
    for (Name n : FreeNames.of(e)) {
      sink(n, reason);
    }
  }

  private static List<SubExp> operandsOf(Slice slice) {
    List<SubExp> all = new ArrayList<>();
    for (Slice.Dim d : slice.dims()) {
      switch (d) {
        case Slice.Fix f -> all.add(f.index());
        case Slice.Range r -> all.addAll(List.of(r.start(), r.count(), r.stride()));
      }
    }
    return all;
  }

  /** Adds an array that shares the elements of another array. */
  private void view(Stm s, SubExp of) {
    if (!(of instanceof SubExp.Var v)) {
      return;
    }
    Integer depth = literalDepths.get(v.name());
    if (depth != null) {
      literalDepths.put(s.pat().get(0).name(), depth);
    }
  }

  private void literal(Stm s, BasicOp.ArrayLit x) {
    PatElem p = s.pat().get(0);
    boolean scalars = x.row() instanceof Type.Prim;
    boolean variable = x.elems().stream().anyMatch(SubExp.Var.class::isInstance);
    if (scalars && x.elems().size() == 1) {
      literalDepths.put(p.name(), depth());
      partial(s, x.elems());
    } else if (scalars && variable && settings.literals() && certificates(s).isEmpty()) {
      literals.add(p.name());
      literalDepths.put(p.name(), depth());
    } else {
      hosted(s, x.elems(), "is an element of an array that the host makes");
    }
  }

  /** Adds a check, which moves if the device has the scalars that it checks. */
  private void check(Stm s, BasicOp.Assert x) {
    Set<Integer> all = new LinkedHashSet<>();
    operand(x.cond(), all);
    for (BasicOp.MsgPart m : x.message()) {
      if (m instanceof BasicOp.MsgPart.Value v) {
        operand(v.value(), all);
      }
    }
    all.addAll(certificates(s));
    if (!all.isEmpty()) {
      checked.put(s.pat().get(0).name(), all);
    }
  }

  // Control

  private static boolean isCertificate(PatElem p) {
    return p.type().isPrim(PrimType.UNIT);
  }

  /** Returns the names of a pattern that the types of the pattern mention. */
  private static Set<Name> mentioned(Stm s) {
    Set<Name> sizes = Sizes.ofPattern(s);
    sizes.retainAll(s.names());
    return sizes;
  }

  private void match(Stm s, Exp.Match m) {
    List<Body> bodies = new ArrayList<>();
    for (Exp.Case c : m.cases()) {
      bodies.add(c.body());
    }
    bodies.add(m.otherwise());
    sinkCertificates(s, "is checked before a branch");
    String blocked = null;
    Set<Name> mentioned = mentioned(s);
    for (Body b : bodies) {
      regions.push(new Region());
      stms(b.stms());
      for (int k = 0; k < s.pat().size(); k++) {
        if (mentioned.contains(s.pat().get(k).name())) {
          sink(b.results().get(k), "is the size of an array");
        }
      }
      String why = regions.pop().hostOnly;
      if (blocked == null) {
        blocked = why;
      }
    }
    if (blocked != null) {
      hostOnly(blocked);
    }
    if (blocked == null) {
      blocked = copied(s, bodies);
    }
    if (blocked == null && !settings.branches()) {
      blocked = "whole branches do not move";
    }
    if (blocked != null) {
      sink(m.scrutinees(), "is the condition of a branch that stays on the host, since " + blocked);
    }
    for (SubExp e : m.scrutinees()) {
      awaitChecks(e, "is checked before a branch");
    }
    Set<Integer> conditions = operands(m.scrutinees());
    for (int k = 0; k < s.pat().size(); k++) {
      PatElem p = s.pat().get(k);
      if (!(p.type() instanceof Type.Prim)) {
        literalResult(p, k, bodies);
        continue;
      }
      if (mentioned.contains(p.name())) {
        continue;
      }
      List<SubExp> given = new ArrayList<>();
      for (Body b : bodies) {
        given.add(b.results().get(k));
      }
      result(p, given, conditions);
    }
  }

  /**
   * Returns the reason why a branch must not move because it would copy an array that it returns;
   * or null.
   */
  private @Nullable String copied(Stm s, List<Body> bodies) {
    for (int k = 0; k < s.pat().size(); k++) {
      if (isSingle(s.pat().get(k).type())) {
        continue;
      }
      for (Body b : bodies) {
        Integer at =
            b.results().get(k) instanceof SubExp.Var v ? literalDepths.get(v.name()) : null;
        if (at == null || at <= depth()) {
          return "it returns an array that would be copied";
        }
      }
    }
    return null;
  }

  private void literalResult(PatElem p, int k, List<Body> bodies) {
    int least = Integer.MAX_VALUE;
    for (Body b : bodies) {
      Integer at = b.results().get(k) instanceof SubExp.Var v ? literalDepths.get(v.name()) : null;
      if (at == null) {
        return;
      }
      least = Math.min(least, at);
    }
    literalDepths.put(p.name(), Math.min(least, depth()));
  }

  private void loop(Stm s, Exp.Loop l) {
    sinkCertificates(s, "is checked before a loop");
    Set<Name> mentioned = mentioned(s);
    for (Exp.LoopParam p : l.params()) {
      mentioned.addAll(Sizes.of(p.param().type()));
    }
    Subgraph inside = new Subgraph();
    loops.push(inside);
    regions.push(new Region());
    List<@Nullable Integer> params = new ArrayList<>();
    Set<Integer> sizes = new HashSet<>();
    for (int k = 0; k < l.params().size(); k++) {
      Exp.LoopParam p = l.params().get(k);
      Name n = p.param().name();
      if (!(p.param().type() instanceof Type.Prim)) {
        params.add(null);
        continue;
      }
      depths.put(n, depth());
      awaitChecks(p.init(), "is checked before a loop");
      if (isCertificate(s.pat().get(k))) {
        params.add(null);
        continue;
      }
      int v = add(n);
      params.add(v);
      if (mentioned.contains(n) || mentioned.contains(s.pat().get(k).name())) {
        sizes.add(k);
        sink(v, "is the size of an array");
        sink(p.init(), "is the size of an array");
      }
      Set<Integer> first = operands(List.of(p.init()));
      for (int o : first) {
        edge(o, v);
      }
    }
    for (Exp.LoopParam p : l.params()) {
      sizes(Sizes.of(p.param().type()));
    }
    stms(l.body().stms());
    for (int k = 0; k < params.size(); k++) {
      SubExp next = l.body().results().get(k);
      if (sizes.contains(k)) {
        sink(next, "is the size of an array");
      }
      awaitChecks(next, "is checked before the next iteration of a loop");
    }
    String blocked = regions.pop().hostOnly;
    if (blocked != null) {
      hostOnly(blocked);
    }
    for (int k = 0; k < s.pat().size() && blocked == null; k++) {
      if (!isSingle(s.pat().get(k).type())) {
        blocked = "it returns an array that would be copied";
      }
    }
    if (blocked == null && !settings.loops()) {
      blocked = "whole loops do not move";
    }
    if (l.form() instanceof Exp.Form.For f) {
      awaitChecks(f.bound(), "is checked before a loop");
    }
    if (blocked != null) {
      String reason = "of a loop that stays on the host, since " + blocked;
      switch (l.form()) {
        case Exp.Form.For f -> sink(f.bound(), "is the number of iterations " + reason);
        case Exp.Form.While w -> {
          sink(w.cond(), "is the condition " + reason);
          for (int k = 0; k < params.size(); k++) {
            if (!l.params().get(k).param().name().equals(w.cond())) {
              continue;
            }
            sink(l.body().results().get(k), "is the condition " + reason);
          }
        }
      }
    }
    for (int k = 0; k < params.size(); k++) {
      Integer v = params.get(k);
      if (v == null) {
        continue;
      }
      if (graph.isSink(v) && used.contains(s.pat().get(k).name())) {
        // The host would read the last value of a parameter on the device after the loop.
        sink(l.params().get(k).init(), "is needed on the host in each iteration of a loop");
      }
      for (int z : operands(List.of(l.body().results().get(k)))) {
        edge(z, v);
      }
    }
    for (int v : inside.sources) {
      graph.route(v);
    }
    loops.pop();
    exits(s, params, inside, mentioned);
    List<Integer> results = new ArrayList<>();
    for (PatElem p : s.pat()) {
      if (vertices.containsKey(p.name())) {
        results.add(vertices.get(p.name()));
      }
    }
    isolate(inside, results);
    Set<Integer> conditions = new LinkedHashSet<>();
    switch (l.form()) {
      case Exp.Form.For f -> operand(f.bound(), conditions);
      case Exp.Form.While w -> {
        for (Exp.LoopParam p : l.params()) {
          if (p.param().name().equals(w.cond())) {
            operand(p.init(), conditions);
          }
        }
      }
    }
    for (int c : conditions) {
      for (int k = 0; k < params.size(); k++) {
        PatElem p = s.pat().get(k);
        if (params.get(k) != null && !mentioned.contains(p.name())) {
          edge(c, add(p.name()));
        }
      }
    }
  }

  /** Connects parameters to the loop's results, which may cost a read after the loop. */
  private void exits(Stm s, List<@Nullable Integer> params, Subgraph inside, Set<Name> mentioned) {
    for (int k = 0; k < params.size(); k++) {
      Integer v = params.get(k);
      PatElem p = s.pat().get(k);
      if (v == null || graph.isSink(v) || mentioned.contains(p.name())) {
        continue;
      }
      int x = add(p.name());
      edge(v, x);
    }
    int[] starts = inside.allSources.stream().mapToInt(v -> v).toArray();
    if (starts.length == 0) {
      return;
    }
    BitSet reached = graph.reach(starts).entries();
    if (!loops.isEmpty()) {
      loops.element().allSources.addAll(inside.allSources);
    }
    for (PatElem p : s.pat()) {
      Integer x = vertices.get(p.name());
      if (x != null && reached.get(x)) {
        source(x);
      }
    }
  }

  /** Replaces edges into a loop by edges to its results, so that no route goes through the loop. */
  private void isolate(Subgraph inside, List<Integer> results) {
    for (Map.Entry<Integer, List<Integer>> e : inside.incoming.entrySet()) {
      int v = e.getKey();
      if (graph.isSink(v)) {
        continue;
      }
      int[] starts = e.getValue().stream().mapToInt(t -> t).toArray();
      FlowGraph.Reached reached = graph.reach(starts);
      if (graph.hasSink(reached)) {
        sink(v, "is needed on the host in each iteration of a loop");
        continue;
      }
      for (int t : starts) {
        graph.exhaust(v, t);
      }
      for (int x : results) {
        if (reached.entries().get(x)) {
          edge(v, x);
        }
      }
    }
  }

  private void withAcc(Stm s, Exp.WithAcc w) {
    for (Name n : Sizes.of(new Exp.WithAcc(w.inputs(), NOTHING))) {
      sink(n, "is a size or a neutral element of an accumulator");
    }
    sinkCertificates(s, "is checked before arrays are accumulated");
    hostOnly("it accumulates into arrays");
    regions.push(new Region());
    stms(w.lambda().body().stms());
    regions.pop();
    int arrays = 0;
    for (Exp.AccInput in : w.inputs()) {
      arrays += in.arrays().size();
    }
    for (int k = arrays; k < s.pat().size(); k++) {
      PatElem p = s.pat().get(k);
      SubExp r = w.lambda().body().results().get(k - arrays + w.inputs().size());
      if (!(p.type() instanceof Type.Prim)) {
        continue;
      }
      result(p, List.of(r), Set.of());
    }
  }
}
