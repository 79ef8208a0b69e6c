package futharkc.pass.differentiation;

import static java.util.Objects.requireNonNull;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.Exp;
import futharkc.core.ir.FreeNames;
import futharkc.core.ir.Lambda;
import futharkc.core.ir.Name;
import futharkc.core.ir.Param;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.Renamer;
import futharkc.core.ir.Slice;
import futharkc.core.ir.Soac;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import futharkc.core.ir.analysis.FreeNamesOfStms;
import futharkc.core.ir.build.Arithmetic;
import futharkc.core.ir.build.Emitter;
import futharkc.core.ir.liveness.DeadCode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reverse mode of maps: a map in the return sweep, which computes the values that it needs again.
 *
 * <pre>
 * y = map f x        x_ += map (\x y_ -> forward sweep of f; return sweep of f; x_) x y_
 *                    free variables of f: for a scalar, the sum of the contributions of all iterations;
 *                                         for an array, an accumulator to which they add
 * </pre>
 *
 * <p>Schenck et al., AD for an Array Language with Nested Parallelism, SC 2022, section 4.2. So the
 * adjoint of a map is as parallel as the map, and its work is at most a multiple of the map's work.
 * If only some elements of y have an adjoint, the return sweep differentiates f for these elements,
 * without a map.
 */
final class MapAdjoint {
  private final Sweep sweep;
  private final Emitter e;
  private final SubExp width;
  private final List<Name> inputs;
  private final Lambda f;

  private MapAdjoint(Sweep sweep, Emitter e, SubExp width, List<Name> inputs, Lambda f) {
    this.sweep = sweep;
    this.e = e;
    this.width = width;
    this.inputs = inputs;
    this.f = f;
  }

  static void reverse(Sweep sweep, Emitter e, Stm s, Soac.Screma x) {
    MapAdjoint map = new MapAdjoint(sweep, e, x.width(), x.inputs(), x.map());
    if (map.ofElements(s.pat())) {
      return;
    }
    List<@Nullable SubExp> ys = new ArrayList<>();
    for (PatElem p : s.pat()) {
      ys.add(p.type() instanceof Type.Acc ? null : sweep.adjoint(e, p));
    }
    map.add(ys);
  }

  /**
   * Reverses a map with results of different sizes: the adjoint of each result is a slice of the
   * adjoint of the concatenation.
   */
  static void reverse(Sweep sweep, Emitter e, Stm s, Soac.FlatMap x) {
    MapAdjoint map = new MapAdjoint(sweep, e, x.width(), x.inputs(), x.lambda());
    List<@Nullable SubExp> ys = new ArrayList<>();
    ys.add(null);
    for (PatElem p : s.pat().subList(2, s.pat().size())) {
      ys.add(sweep.adjoint(e, p));
    }
    map.parts = SubExp.of(s.pat().get(1).name());
    map.add(ys);
  }

  /** The offsets of the iterations' results in the concatenation; null for an ordinary map. */
  private @Nullable SubExp parts;

  /**
   * Adds to the adjoints of the inputs, given the adjoints of the results.
   *
   * @param ys the adjoints of the result arrays, null for zero
   */
  private void add(List<@Nullable SubExp> ys) {
    List<@Nullable SubExp> xs = adjoints(ys, sweep.active());
    for (int i = 0; i < inputs.size(); i++) {
      SubExp x = xs.get(i);
      if (x != null) {
        sweep.adjoints().add(e, SubExp.of(inputs.get(i)), x, true);
      }
    }
  }

  /**
   * Returns the adjoints of the inputs of a mapped function.
   *
   * @param f the function, whose names have no other binding
   * @param ys the adjoints of the results, null for zero
   * @param wanted for each input, whether it is active
   * @param free whether to add to the adjoints of free variables
   * @return the adjoints, null for zero
   */
  static List<@Nullable SubExp> adjoints(
      Sweep sweep,
      Emitter e,
      SubExp width,
      List<Name> inputs,
      Lambda f,
      List<@Nullable SubExp> ys,
      List<Boolean> wanted,
      boolean free) {
    Set<Name> active = new HashSet<>(free ? sweep.active() : Set.of());
    for (int i = 0; i < inputs.size(); i++) {
      if (wanted.get(i)) {
        active.add(f.params().get(i).name());
      }
    }
    return new MapAdjoint(sweep, e, width, inputs, f).adjoints(ys, Activity.of(f.body(), active));
  }

  /**
   * A free array of the function, and the accumulator of its adjoint.
   *
   * @param array the array
   * @param acc the accumulator parameter
   * @param token the token of an accumulator that begins at this map, else null
   * @param outer the accumulator of an enclosing map, else null
   */
  private record Tracked(Name array, Param acc, @Nullable Param token, @Nullable Name outer) {}

  private List<@Nullable SubExp> adjoints(List<@Nullable SubExp> ys, Set<Name> active) {
    Adjoints inner = new Adjoints(active);
    List<Tracked> arrays = new ArrayList<>();
    List<Name> scalars = new ArrayList<>();
    track(inner, arrays, scalars);
    Emitter in = e.inner();
    List<Param> params = new ArrayList<>();
    List<Name> args = new ArrayList<>();
    for (int i = 0; i < inputs.size(); i++) {
      Param p = f.params().get(i);
      e.scope().add(p.name(), p.type());
      if (p.type() instanceof Type.Acc) {
        continue;
      }
      params.add(p);
      args.add(inputs.get(i));
    }
    Param offset = null;
    SubExp offsets = parts;
    if (offsets != null) {
      offset = e.param("offset", Type.I64);
      params.add(offset);
      args.add(Emitter.array(offsets));
    }
    for (int k = 0; k < ys.size(); k++) {
      SubExp y = ys.get(k);
      if (y == null) {
        continue;
      }
      SubExp r = f.body().results().get(k);
      if (offset != null) {
        inner.add(in, r, in.slice(y, part(k, SubExp.of(offset.name()), in)));
      } else {
        Param p = e.param("adj", e.type(y).row());
        params.add(p);
        args.add(Emitter.array(y));
        inner.add(in, r, SubExp.of(p.name()));
      }
    }
    Sweep nested = sweep.inside(f.body(), inner, sweep.aliases().with(f.body().stms()));
    nested.back().addAll(in.stms());
    // The initial adjoints precede the sweep.
    nested.run();
    return assemble(nested, inner, arrays, scalars, params, args);
  }

  /** Returns the slice of result k that begins at an offset. */
  private Slice part(int k, SubExp offset, Emitter in) {
    SubExp size = f.body().results().get(0);
    List<Slice.Dim> dims = new ArrayList<>();
    dims.add(new Slice.Range(offset, size, SubExp.i64(1)));
    List<SubExp> rest = in.type(f.body().results().get(k)).dims();
    for (SubExp d : rest.subList(1, rest.size())) {
      dims.add(new Slice.Range(SubExp.i64(0), d, SubExp.i64(1)));
    }
    return new Slice(dims);
  }

  /** Collects the free active variables of the function. */
  private void track(Adjoints inner, List<Tracked> arrays, List<Name> scalars) {
    for (Name n : FreeNames.of(f)) {
      if (!inner.active().contains(n) || e.scope().lookup(n) == null) {
        continue;
      }
      switch (e.type(n)) {
        case Type.Prim p -> scalars.add(n);
        case Type.Array t -> {
          Tracked tracked;
          if (sweep.adjoints().get(n) instanceof Adjoints.Adjoint.Accumulated a) {
            tracked = new Tracked(n, e.param("acc", e.type(a.acc())), null, a.acc());
          } else {
            Param token = e.param("token", Type.UNIT);
            Param acc = e.param("acc", AccumulatedAdjoint.type(token.name(), t));
            tracked = new Tracked(n, acc, token, null);
          }
          inner.set(n, new Adjoints.Adjoint.Accumulated(tracked.acc.name()));
          if (tracked.token != null && parts == null) {
            inner.defer(n);
          }
          arrays.add(tracked);
        }
        case Type.Acc a -> {}
        case Type.Mem m -> {}
      }
    }
  }

  private List<@Nullable SubExp> assemble(
      Sweep nested,
      Adjoints inner,
      List<Tracked> tracked,
      List<Name> scalars,
      List<Param> params,
      List<Name> args) {
    Emitter back = nested.back().at(e.aux().withCerts(List.of()));
    Map<Name, Name> rows = new HashMap<>();
    for (int k = 0; k < params.size(); k++) {
      rows.put(params.get(k).name(), args.get(k));
    }
    List<Interchange> others = new ArrayList<>();
    FreeNamesOfStms uses = new FreeNamesOfStms();
    for (Tracked t : tracked) {
      List<Stm> stms = new ArrayList<>(nested.forward());
      stms.addAll(back.stms());
      for (SubExp v : inner.deferred(t.array)) {
        Interchange other = Interchange.of(t.array, v, stms, rows, e, uses);
        if (other == null) {
          inner.add(back, SubExp.of(t.array), v);
        } else {
          others.add(other);
        }
      }
    }
    List<Tracked> arrays = tracked.stream().filter(t -> isUsed(t, inner)).toList();
    List<Param> all = new ArrayList<>();
    for (Tracked t : arrays) {
      all.add(t.acc);
    }
    all.addAll(params);
    List<SubExp> results = new ArrayList<>();
    List<Soac.Reduce> sums = new ArrayList<>();
    List<Name> summed = new ArrayList<>();
    for (Name n : scalars) {
      SubExp part = inner.dense(back, n);
      if (part == null) {
        continue;
      }
      results.add(part);
      summed.add(n);
      sums.add(Arithmetic.summing(e, e.type(n)));
    }
    for (Tracked t : arrays) {
      if (!(inner.get(t.array) instanceof Adjoints.Adjoint.Accumulated a)) {
        throw new IllegalStateException("adjoint of " + t.array + " is no longer an accumulator");
      }
      results.add(SubExp.of(a.acc()));
    }
    List<Integer> given = new ArrayList<>();
    for (int i = 0; i < inputs.size(); i++) {
      Name p = f.params().get(i).name();
      if (f.params().get(i).type() instanceof Type.Acc || inner.isZero(p)) {
        continue;
      }
      given.add(i);
      results.add(inner.value(back, p));
    }
    List<@Nullable SubExp> xs = new ArrayList<>();
    for (int i = 0; i < inputs.size(); i++) {
      xs.add(null);
    }
    List<Stm> stms = new ArrayList<>(nested.forward());
    stms.addAll(back.stms());
    Set<Name> exports = new LinkedHashSet<>();
    List<Map<Name, Name>> cuts = new ArrayList<>();
    for (Interchange other : others) {
      Map<Name, Name> cut = new HashMap<>();
      stms = other.cut(stms, cut, e);
      cuts.add(cut);
      exports.addAll(other.exports());
      exports.addAll(cut.values());
    }
    for (Name n : exports) {
      results.add(SubExp.of(n));
    }
    if (results.isEmpty()) {
      for (Interchange other : others) {
        other.add(sweep.adjoints(), e, width, Map.of());
      }
      return xs;
    }
    Lambda g = lambda(stms, all, results);
    List<Type> types = new ArrayList<>();
    for (Name n : summed) {
      types.add(e.type(n));
    }
    for (Tracked t : arrays) {
      types.add(t.acc.type());
    }
    for (int i : given) {
      types.add(Type.array(f.params().get(i).type(), width));
    }
    for (Name n : exports) {
      types.add(Type.array(e.type(n), width));
    }
    List<SubExp> values = emit(g, sums, arrays, args, types);
    for (int k = 0; k < summed.size(); k++) {
      sweep.adjoints().add(e, SubExp.of(summed.get(k)), values.get(k));
    }
    for (int k = 0; k < given.size(); k++) {
      xs.set(given.get(k), values.get(summed.size() + arrays.size() + k));
    }
    Map<Name, Name> over = new HashMap<>();
    int at = values.size() - exports.size();
    for (Name n : exports) {
      over.put(n, Emitter.array(values.get(at++)));
    }
    for (int k = 0; k < others.size(); k++) {
      Map<Name, Name> arraysOver = new HashMap<>(over);
      cuts.get(k).forEach((cut, array) -> arraysOver.put(cut, requireNonNull(over.get(array))));
      others.get(k).add(sweep.adjoints(), e, width, arraysOver);
    }
    return xs;
  }

  private static boolean isUsed(Tracked t, Adjoints inner) {
    return !(inner.get(t.array) instanceof Adjoints.Adjoint.Accumulated a)
        || !a.acc().equals(t.acc.name());
  }

  /** Returns the function of the return sweep, with fresh names. */
  private Lambda lambda(List<Stm> stms, List<Param> params, List<SubExp> results) {
    Set<Name> tokens = new HashSet<>();
    for (Param p : f.params()) {
      if (p.type() instanceof Type.Acc a) {
        tokens.add(a.token());
      }
    }
    Body live = new DeadCode().body(new Body(stms, results));
    Body pure = new DeadCode().body(new AccumulatorRemoval(tokens).body(live));
    Body quiet = new RecomputationPlan.Unchecked(Set.of()).body(pure);
    List<Type> types = results.stream().map(e::type).toList();
    Lambda renamed = new Renamer(e.names()).lambda(new Lambda(params, quiet, types));
    e.scope().addParams(renamed.params());
    e.scope().addAll(renamed.body());
    return renamed;
  }

  /** Emits the map, within a {@code WithAcc} if accumulators begin here. */
  private List<SubExp> emit(
      Lambda g, List<Soac.Reduce> sums, List<Tracked> arrays, List<Name> args, List<Type> types) {
    List<Tracked> begin = arrays.stream().filter(t -> t.token != null).toList();
    List<Name> accs = new ArrayList<>();
    List<Param> outer = new ArrayList<>();
    for (Tracked t : arrays) {
      if (t.outer != null) {
        accs.add(t.outer);
      } else {
        Param p = e.param("acc", t.acc.type());
        outer.add(p);
        accs.add(p.name());
      }
    }
    List<Name> all = new ArrayList<>(accs);
    all.addAll(args);
    int summed = sums.size();
    Soac.Screma map =
        new Soac.Screma(
            width,
            all,
            g,
            List.of(),
            sums,
            e.identity(g.results().subList(summed, g.results().size())));
    List<SubExp> values = new ArrayList<>(types.size());
    if (begin.isEmpty()) {
      values.addAll(e.letAll("adj", types, map));
    } else {
      values.addAll(begin(begin, outer, map, types, summed, arrays));
    }
    for (int k = 0; k < arrays.size(); k++) {
      Tracked t = arrays.get(k);
      SubExp v = values.get(summed + k);
      if (t.outer != null) {
        sweep.adjoints().set(t.array, new Adjoints.Adjoint.Accumulated(Emitter.array(v)));
      } else {
        sweep.adjoints().set(t.array, v, true);
      }
    }
    return values;
  }

  private List<SubExp> begin(
      List<Tracked> begin,
      List<Param> accs,
      Soac.Screma map,
      List<Type> types,
      int summed,
      List<Tracked> arrays) {
    List<Exp.AccInput> inputs = new ArrayList<>();
    List<Param> params = new ArrayList<>();
    for (Tracked t : begin) {
      inputs.add(AccumulatedAdjoint.input(e, sweep.adjoints().owned(e, t.array)));
      if (t.token != null) {
        params.add(t.token);
      }
    }
    params.addAll(accs);
    List<Integer> first = new ArrayList<>();
    List<Integer> others = new ArrayList<>();
    for (int k = 0; k < types.size(); k++) {
      int a = k - summed;
      boolean starts = a >= 0 && a < arrays.size() && arrays.get(a).token != null;
      (starts ? first : others).add(k);
    }
    Lambda body =
        e.lambda(
            params,
            in -> {
              List<SubExp> values = in.letAll("adj", types, map);
              List<SubExp> results = new ArrayList<>();
              for (int k : first) {
                results.add(values.get(k));
              }
              for (int k : others) {
                results.add(values.get(k));
              }
              return results;
            });
    List<Type> results = new ArrayList<>();
    for (Tracked t : begin) {
      results.add(e.type(t.array));
    }
    for (int k : others) {
      results.add(types.get(k));
    }
    List<SubExp> out = e.letAll("adj", results, new Exp.WithAcc(inputs, body));
    List<SubExp> values = new ArrayList<>(Collections.nCopies(types.size(), SubExp.TRUE));
    for (int k = 0; k < first.size(); k++) {
      values.set(first.get(k), out.get(k));
    }
    for (int k = 0; k < others.size(); k++) {
      values.set(others.get(k), out.get(first.size() + k));
    }
    return values;
  }

  // A few elements

  /**
   * Adds the adjoints if only some elements of the results have adjoints, and returns whether this
   * is the case.
   */
  private boolean ofElements(List<PatElem> pat) {
    List<Adjoints.Part> parts = new ArrayList<>();
    List<Integer> results = new ArrayList<>();
    for (int k = 0; k < pat.size(); k++) {
      switch (sweep.adjoints().get(pat.get(k).name())) {
        case null -> {
          if (pat.get(k).type() instanceof Type.Acc) {
            return false;
          }
        }
        case Adjoints.Adjoint.Sparse s -> {
          for (Adjoints.Part p : s.parts()) {
            parts.add(p);
            results.add(k);
          }
        }
        default -> {
          return false;
        }
      }
    }
    for (int j = 0; j < parts.size(); j++) {
      ofElement(parts.get(j), results.get(j));
    }
    return true;
  }

  /** Differentiates the function for one element of a result. */
  private void ofElement(Adjoints.Part part, int k) {
    SubExp i = part.index().get(0);
    List<SubExp> below = part.index().subList(1, part.index().size());
    Emitter code = e.inner();
    SubExp y;
    if (part.safe()) {
      SubExp inside = Arithmetic.inRange(code, i, width);
      Type t = f.results().get(k);
      y =
          code.conditional(
                  "y",
                  List.of(t),
                  inside,
                  in -> List.of(element(in, i, k)),
                  in -> List.of(Arithmetic.zeros(in, t)))
              .get(0);
    } else {
      y = element(code, i, k);
    }
    SyntheticAdjoint.reverse(
        sweep,
        e,
        code,
        inner -> {
          if (below.isEmpty()) {
            inner.add(e, y, part.value());
          } else if (y instanceof SubExp.Var v) {
            inner.addAt(e, v.name(), below, part.value(), part.safe());
          }
        });
  }

  /** Emits one evaluation of the function. */
  private SubExp element(Emitter in, SubExp i, int k) {
    Lambda g = new Renamer(in.names()).lambda(f);
    for (int j = 0; j < inputs.size(); j++) {
      Param p = g.params().get(j);
      in.scope().add(p.name(), p.type());
      if (p.type() instanceof Type.Acc) {
        continue;
      }
      Type t = in.type(inputs.get(j));
      in.add(
          List.of(new PatElem(p.name(), p.type())),
          new BasicOp.Index(inputs.get(j), Slice.fix(List.of(i), t.dims())));
    }
    in.addAll(g.body().stms());
    in.scope().addAll(g.body());
    return g.body().results().get(k);
  }
}
