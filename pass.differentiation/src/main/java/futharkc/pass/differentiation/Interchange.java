package futharkc.pass.differentiation;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.Exp;
import futharkc.core.ir.FreeNames;
import futharkc.core.ir.Lambda;
import futharkc.core.ir.Name;
import futharkc.core.ir.Param;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.Renamer;
import futharkc.core.ir.Soac;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import futharkc.core.ir.analysis.FreeNamesOfStms;
import futharkc.core.ir.analysis.Weight;
import futharkc.core.ir.build.Arithmetic;
import futharkc.core.ir.build.Emitter;
import futharkc.core.ir.liveness.DeadCode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An interchange of loops for the adjoint of a whole array. If all iterations of a map add to the
 * array, the interchange produces a map over the rows of the array. Each row is a sum over the
 * iterations. No two threads then update the same memory, and each row stays in the cache.
 *
 * <pre>
 * for all i at once: x_ += map (\j -> f(i, j))    =>    x_ += map (\j -> sum of f(i, j) over i)
 * </pre>
 *
 * <p>Only cheap code moves to the new order: scalar operations and maps. More expensive scalars,
 * and the values that f needs of the iteration, are {@linkplain #exports exported}: they become
 * arrays over the iterations. The main case is a matrix product, where f(i, j) is a row times a
 * scalar.
 */
final class Interchange {
  /**
   * The rows that an iteration adds.
   *
   * @param position the position of the defining statement in the iteration
   * @param name the name of the map's result, in the statement or in a nested body
   * @param map the map that computes the rows
   * @param result the position of the rows among the map's results
   */
  private record Rows(int position, Name name, Soac.Screma map, int result) {}

  private final Name array;
  private final List<List<Integer>> views;
  private final Rows rows;
  private final List<Stm> tail;

  /** The free names of the interchanged code. */
  private final Set<Name> free;

  private final Set<Name> cuts;
  private final Map<Name, Name> inputs;
  private final Set<Name> bound;

  /** The free names of the interchanged code that vary among iterations. */
  private final Set<Name> variant = new LinkedHashSet<>();

  private Interchange(
      Name array,
      List<List<Integer>> views,
      Rows rows,
      List<Stm> tail,
      Set<Name> cuts,
      Map<Name, Name> inputs,
      Set<Name> bound) {
    this.array = array;
    this.views = views;
    this.rows = rows;
    this.tail = tail;
    this.free = FreeNames.of(new Body(tail, List.of()));
    this.cuts = cuts;
    this.inputs = inputs;
    this.bound = bound;
  }

  /**
   * Returns the interchange, or null if it is impossible.
   *
   * @param array the array whose adjoint the iterations add to
   * @param added the value that each iteration adds
   * @param stms the statements of an iteration
   * @param inputs the input arrays of the map, keyed by the parameters of an iteration
   * @param at the scope of these names
   * @param uses the free names of statements
   */
  static @Nullable Interchange of(
      Name array,
      SubExp added,
      List<Stm> stms,
      Map<Name, Name> inputs,
      Emitter at,
      FreeNamesOfStms uses) {
    if (!(added instanceof SubExp.Var v) || at.type(array).rank() < 2) {
      return null;
    }
    Map<Name, Integer> defs = new HashMap<>();
    for (int k = 0; k < stms.size(); k++) {
      for (Name n : stms.get(k).names()) {
        defs.put(n, k);
      }
    }
    List<List<Integer>> views = new ArrayList<>();
    Rows rows = rows(v.name(), stms, defs, views);
    if (rows == null) {
      return null;
    }
    Soac.Screma map = rows.map;
    if (!map.scans().isEmpty() || rows.result < map.reduceResults()) {
      return null;
    }
    SubExp result = map.map().body().results().get(rows.result);
    if (!(result instanceof SubExp.Var row)) {
      return null;
    }
    Body body = new DeadCode().body(new Body(map.map().body().stms(), List.of(result)));
    Set<Name> cuts = new LinkedHashSet<>();
    List<Stm> tail = tail(body.stms(), row.name(), cuts, uses);
    if (tail == null) {
      return null;
    }
    Set<Name> bound = new HashSet<>(defs.keySet());
    bound.addAll(inputs.keySet());
    for (Param p : map.map().params()) {
      bound.add(p.name());
    }
    var x = new Interchange(array, views, rows, tail, cuts, inputs, bound);
    return x.isPossible(at) ? x : null;
  }

  /**
   * Returns the map that computes the rows of an array, behind rearrangements, which this method
   * adds to {@code views}.
   */
  private static @Nullable Rows rows(
      Name n, List<Stm> stms, Map<Name, Integer> defs, List<List<Integer>> views) {
    Integer at = defs.get(n);
    while (at != null) {
      Stm s = stms.get(at);
      switch (s.exp()) {
        case BasicOp.Rearrange x -> {
          views.add(0, x.perm());
          n = x.array();
        }
        case BasicOp.Reshape x when x.coerce() -> n = x.array();
        case BasicOp.SubExpOp x when x.value() instanceof SubExp.Var v -> n = v.name();
        case Soac.Screma x -> {
          return new Rows(at, n, x, s.names().indexOf(n));
        }
        case Exp.WithAcc w -> {
          List<SubExp> results = w.lambda().body().results();
          int k = s.names().indexOf(n) - (s.pat().size() - (results.size() - w.inputs().size()));
          if (k < 0 || !(results.get(w.inputs().size() + k) instanceof SubExp.Var v)) {
            return null;
          }
          for (Stm t : w.lambda().body().stms()) {
            int j = t.names().indexOf(v.name());
            if (j >= 0) {
              return t.exp() instanceof Soac.Screma x ? new Rows(at, v.name(), x, j) : null;
            }
          }
          return null;
        }
        default -> {
          return null;
        }
      }
      at = defs.get(n);
    }
    return null;
  }

  /**
   * Returns the cheap statements that compute a row.
   *
   * @param cuts the set to which this method adds the scalars that are not cheap
   * @return null if an array is not cheap
   */
  private static @Nullable List<Stm> tail(
      List<Stm> stms, Name row, Set<Name> cuts, FreeNamesOfStms uses) {
    Deque<Stm> tail = new ArrayDeque<>();
    Set<Name> needed = new HashSet<>(Set.of(row));
    for (Stm s : stms.reversed()) {
      if (s.names().stream().noneMatch(needed::contains)) {
        continue;
      }
      if (isCheap(s.exp())) {
        tail.addFirst(s);
        needed.addAll(uses.of(s));
        continue;
      }
      for (PatElem p : s.pat()) {
        if (!needed.contains(p.name())) {
          continue;
        }
        if (!(p.type() instanceof Type.Prim) || p.name().equals(row)) {
          return null;
        }
        cuts.add(p.name());
      }
    }
    return List.copyOf(tail);
  }

  private static boolean isCheap(Exp e) {
    return switch (Weight.of(e)) {
      case VIEW, ELEMENT, OPERATION, FUNCTION, ARRAY, COPY -> true;
      case CHECK -> false;
      case EFFECT -> e instanceof BasicOp.Opaque;
      case CODE ->
          e instanceof Soac.Screma x
              && x.isMap()
              && x.map().body().stms().stream().allMatch(s -> isCheap(s.exp()))
              && x.map().params().stream().noneMatch(p -> p.type() instanceof Type.Acc);
    };
  }

  /**
   * Classifies the free names of the interchanged code, and tests whether its sizes are invariant.
   */
  private boolean isPossible(Emitter at) {
    if (isVariant(rows.map.width()) || mentions(row(at))) {
      return false;
    }
    int rank = 1 + row(at).rank();
    Set<Name> inside = new HashSet<>();
    for (Stm s : tail) {
      inside.addAll(s.names());
    }
    Set<Name> elements = new HashSet<>();
    List<Param> params = rows.map.map().params();
    for (int p = 0; p < params.size(); p++) {
      elements.add(params.get(p).name());
      if (!free.contains(params.get(p).name())) {
        continue;
      }
      Name source = rows.map.inputs().get(p);
      if (bound.contains(source)) {
        variant.add(source);
      }
    }
    for (Name n : free) {
      if (inside.contains(n) || elements.contains(n) || cuts.contains(n)) {
        continue;
      }
      if (bound.contains(n)) {
        variant.add(n);
      }
    }
    for (Name n : variant) {
      Type t = at.type(n);
      if (t instanceof Type.Acc || mentions(t)) {
        return false;
      }
      if (!inputs.containsKey(n) && t.rank() >= rank) {
        return false;
      }
    }
    return true;
  }

  private Type row(Emitter at) {
    return at.type(rows.map.map().body().results().get(rows.result));
  }

  private boolean isVariant(SubExp e) {
    return e instanceof SubExp.Var v && bound.contains(v.name());
  }

  private boolean mentions(Type t) {
    return FreeNames.of(t).stream().anyMatch(bound::contains);
  }

  // Code of an iteration

  /** Returns the statements of an iteration, with the exported scalars as results of the map. */
  List<Stm> cut(List<Stm> stms, Map<Name, Name> cutArrays, Emitter at) {
    if (cuts.isEmpty()) {
      return stms;
    }
    List<Stm> out = new ArrayList<>(stms);
    out.set(rows.position, withCuts(stms.get(rows.position), cutArrays, at));
    return out;
  }

  private Stm withCuts(Stm s, Map<Name, Name> cutArrays, Emitter at) {
    List<PatElem> pat = new ArrayList<>(s.pat());
    List<PatElem> more = new ArrayList<>();
    for (Name c : cuts) {
      Name array = at.names().fresh(c);
      Type t = Type.array(at.type(c), rows.map.width());
      at.scope().add(array, t);
      cutArrays.put(c, array);
      more.add(new PatElem(array, t));
    }
    pat.addAll(more);
    if (s.exp() instanceof Soac.Screma x) {
      return new Stm(pat, s.aux(), withCuts(x, at));
    }
    Exp.WithAcc w = (Exp.WithAcc) s.exp();
    List<Stm> body = new ArrayList<>();
    List<SubExp> results = new ArrayList<>(w.lambda().body().results());
    List<Type> types = new ArrayList<>(w.lambda().results());
    for (Stm t : w.lambda().body().stms()) {
      if (!t.names().contains(rows.name)) {
        body.add(t);
        continue;
      }
      List<PatElem> inner = new ArrayList<>(t.pat());
      for (PatElem p : more) {
        Name n = at.names().fresh(p.name());
        inner.add(new PatElem(n, p.type()));
        at.scope().add(n, p.type());
        results.add(SubExp.of(n));
        types.add(p.type());
      }
      body.add(new Stm(inner, t.aux(), withCuts((Soac.Screma) t.exp(), at)));
    }
    Lambda l = new Lambda(w.lambda().params(), new Body(body, results), types);
    return new Stm(pat, s.aux(), new Exp.WithAcc(w.inputs(), l));
  }

  private Soac.Screma withCuts(Soac.Screma x, Emitter at) {
    List<SubExp> results = new ArrayList<>(x.map().body().results());
    List<Type> types = new ArrayList<>(x.map().results());
    for (Name c : cuts) {
      results.add(SubExp.of(c));
      types.add(at.type(c));
    }
    Lambda f = new Lambda(x.map().params(), new Body(x.map().body().stms(), results), types);
    List<Type> mapped = types.subList(x.reduceResults(), types.size());
    return new Soac.Screma(x.width(), x.inputs(), f, x.scans(), x.reduces(), at.identity(mapped));
  }

  /** Returns the names that the iterations must return in addition to the exported scalars. */
  List<Name> exports() {
    return variant.stream().filter(n -> !inputs.containsKey(n)).toList();
  }

  // Code after the interchange

  /**
   * Adds the sums to the adjoint.
   *
   * @param width the number of iterations
   * @param over the arrays, over the iterations, of the exported values
   */
  void add(Adjoints adjoints, Emitter e, SubExp width, Map<Name, Name> over) {
    Map<Name, Name> all = new HashMap<>(inputs);
    all.putAll(over);
    // Values for each row and iteration, with the row as the outer dimension.
    List<Name> outer = new ArrayList<>();
    List<Param> outerParams = new ArrayList<>();
    List<Name> inner = new ArrayList<>();
    List<Param> innerParams = new ArrayList<>();
    List<Param> elements = rows.map.map().params();
    Set<Name> asElements = new HashSet<>();
    for (int p = 0; p < elements.size(); p++) {
      Param x = elements.get(p);
      if (!free.contains(x.name())) {
        continue;
      }
      Name source = rows.map.inputs().get(p);
      if (!variant.contains(source)) {
        outer.add(source);
        outerParams.add(x);
        continue;
      }
      asElements.add(source);
      column(e, all.get(source), x, width, outer, outerParams, inner, innerParams);
    }
    for (Name c : cuts) {
      Param x = new Param(c, e.type(c), false);
      column(e, all.get(c), x, width, outer, outerParams, inner, innerParams);
    }
    for (Name n : variant) {
      if (asElements.contains(n) && !free.contains(n)) {
        continue;
      }
      inner.add(all.get(n));
      innerParams.add(new Param(n, e.type(n), false));
    }
    if (outer.isEmpty()) {
      outer.add(Emitter.array(e.iota(rows.map.width())));
      outerParams.add(e.param("row", Type.I64));
    }
    Type row = row(e);
    SubExp result = rows.map.map().body().results().get(rows.result);
    Lambda f =
        e.lambda(outerParams, in -> List.of(sum(in, row, width, inner, innerParams, result)));
    Lambda renamed = new Renamer(e.names()).lambda(f);
    e.scope().addParams(renamed.params());
    e.scope().addAll(renamed.body());
    SubExp total = e.map("adj", rows.map.width(), outer, renamed).get(0);
    for (List<Integer> perm : views) {
      Type t = e.type(total);
      List<SubExp> dims = perm.stream().map(d -> t.dims().get(d)).toList();
      total = e.let("adj", t.withShape(dims), new BasicOp.Rearrange(Emitter.array(total), perm));
    }
    adjoints.add(e, SubExp.of(array), total, true);
  }

  /** Adds an input for a value that varies among rows and iterations. */
  private static void column(
      Emitter e,
      @Nullable Name over,
      Param x,
      SubExp width,
      List<Name> outer,
      List<Param> outerParams,
      List<Name> inner,
      List<Param> innerParams) {
    if (over == null) {
      throw new IllegalStateException("no exported array for " + x.name());
    }
    Type t = e.type(over);
    List<SubExp> dims = new ArrayList<>(t.dims());
    dims.add(0, dims.remove(1));
    List<Integer> perm = new ArrayList<>(List.of(1, 0));
    for (int d = 2; d < dims.size(); d++) {
      perm.add(d);
    }
    outer.add(e.name("col", t.withShape(dims), new BasicOp.Rearrange(over, perm)));
    Param col = e.param("col", Type.array(x.type(), width));
    outerParams.add(col);
    inner.add(col.name());
    innerParams.add(x);
  }

  /** Returns the sum of one row over the iterations. */
  private SubExp sum(
      Emitter in, Type row, SubExp width, List<Name> inputs, List<Param> params, SubExp result) {
    SubExp zeros = Arithmetic.zeros(in, row);
    Param token = in.param("token", Type.UNIT);
    Param acc = in.param("acc", AccumulatedAdjoint.type(token.name(), row));
    Param each = in.param("acc", acc.type());
    List<Param> all = new ArrayList<>(List.of(each));
    all.addAll(params);
    List<Name> args = new ArrayList<>(List.of(acc.name()));
    args.addAll(inputs);
    Lambda iteration =
        in.lambda(
            all,
            it -> {
              it.addAll(tail);
              return List.of(SubExp.of(Adjoints.addAll(it, each.name(), List.of(), result)));
            });
    Body unchecked = new RecomputationPlan.Unchecked(bound).body(iteration.body());
    Lambda quiet = new Lambda(iteration.params(), unchecked, iteration.results());
    Lambda body =
        in.lambda(
            List.of(token, acc),
            it -> it.letAll("acc", List.of(acc.type()), it.mapping(width, args, quiet)));
    return in.let("adj", row, new Exp.WithAcc(List.of(AccumulatedAdjoint.input(in, zeros)), body));
  }
}
