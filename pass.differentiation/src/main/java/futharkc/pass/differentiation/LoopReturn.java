package futharkc.pass.differentiation;

import futharkc.core.ir.Aux;
import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.ConvOp;
import futharkc.core.ir.Exp;
import futharkc.core.ir.FreeNames;
import futharkc.core.ir.Name;
import futharkc.core.ir.Param;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.Renamer;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Substitution;
import futharkc.core.ir.Type;
import futharkc.core.ir.analysis.Aliases;
import futharkc.core.ir.analysis.Consumption;
import futharkc.core.ir.build.Arithmetic;
import futharkc.core.ir.build.Emitter;
import futharkc.core.ir.spi.PassException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The return loop of a loop, and the loop with a tape that replaces it in the forward sweep.
 *
 * <p>The return loop computes the values of an iteration again from the parameters on the tape.
 * Values read from an array that is updated in place are on the tape themselves, because the array
 * has changed. If their sizes vary among iterations, or if the loop is an outer loop of strip
 * mining, the tape holds the whole array like any other parameter.
 */
final class LoopReturn {
  /**
   * A restriction of the return loop to the restoration of one array.
   *
   * @param param the position of the loop parameter
   * @param after the supplier of the array's value after the loop
   */
  record Restored(int param, States.Supplier after) {}

  /**
   * A value that the return loop carries.
   *
   * @param param the parameter of the return loop
   * @param init the initial value
   * @param next the value at the end of an iteration, or null if it does not change
   * @param result the receiver of the value after the loop
   */
  private record CarriedValue(
      Param param,
      Function<Emitter, SubExp> init,
      Function<Emitter, @Nullable SubExp> next,
      Consumer<SubExp> result) {}

  private final Sweep sweep;
  private final Stm s;
  private final Exp.Loop l;
  private final int position;
  private final @Nullable Restored only;
  private final Set<Integer> inPlace = new HashSet<>();
  private final Set<Integer> frozen = new HashSet<>();
  private final Map<Name, Param> sizes = new LinkedHashMap<>();
  private final List<CarriedValue> carried = new ArrayList<>();
  private @Nullable Name restored;

  /**
   * Creates the return loop.
   *
   * @param sweep the sweep of the enclosing body
   * @param s the statement of the loop
   * @param l the loop
   * @param position the position of the statement in the sweep
   * @param only the array to restore; null to compute all adjoints
   * @param undo whether arrays that are updated in place may be restored by undoing the updates
   */
  LoopReturn(Sweep sweep, Stm s, Exp.Loop l, int position, @Nullable Restored only, boolean undo) {
    this.sweep = sweep;
    this.s = s;
    this.l = l;
    this.position = position;
    this.only = only;
    for (int k = 0; k < l.params().size(); k++) {
      if (!(l.params().get(k).param().type() instanceof Type.Array)) {
        continue;
      }
      if (isFrozen(l.params().get(k))) {
        frozen.add(k);
      } else if (undo && !StripMining.isOuter(s) && InPlace.isParam(l, k)) {
        inPlace.add(k);
      }
    }
  }

  private boolean isFrozen(Exp.LoopParam p) {
    return p.attrs().contains("true_dep")
        || p.init() instanceof SubExp.Var v && sweep.states().isFrozen(v.name());
  }

  /** Returns the array before the loop, if it was requested. */
  Name restored() {
    Name n = restored;
    if (n == null) {
      throw new IllegalStateException("no array was restored");
    }
    return n;
  }

  /**
   * Emits the return loop and replaces the forward loop. Returns false if updates cannot be undone
   * because of sizes.
   */
  boolean emit(Emitter e) {
    for (Exp.LoopParam p : l.params()) {
      e.scope().add(p.param().name(), p.param().type());
    }
    if (l.form() instanceof Exp.Form.For f) {
      e.scope().add(f.index(), Type.prim(f.type()));
    }
    Adjoints inner = new Adjoints(sweep.active());
    Sweep nested = sweep.inside(l.body(), inner);
    Emitter back = nested.back().at(Aux.at(s.aux().loc()));
    if (only == null) {
      // A free variable may also be a result or an initial value. Then other code adds to its
      // carried adjoint.
      carryFree(inner, e);
      carryParams(inner, back, e);
    }
    carryStates(nested, e);
    for (int k : frozen) {
      nested.states().frozen(param(k).name(), s.pat().get(k).name());
    }
    nested.run();
    back.at(Aux.at(s.aux().loc()));
    List<CarriedValue> used = new ArrayList<>();
    List<SubExp> next = new ArrayList<>();
    for (CarriedValue c : carried) {
      SubExp value = c.next.apply(back);
      if (value == null) {
        continue;
      }
      used.add(c);
      next.add(value);
    }
    if (used.isEmpty()) {
      return true;
    }
    List<SubExp> results = new ArrayList<>();
    for (Name size : sizes.keySet()) {
      results.add(SubExp.of(size));
    }
    results.addAll(next);
    Set<Name> overwritten = new HashSet<>();
    for (int k : inPlace) {
      overwritten.addAll(sweep.aliases().roots(param(k).name()));
    }
    RecomputationPlan cut =
        RecomputationPlan.of(
            nested.forward(), back.body(results), t -> touches(t, overwritten), e.scope());
    LoopTape tape = tape(cut, nested);
    if (tape == null) {
      return false;
    }
    SubExp count = forward(tape, nested.forward(), e);
    backward(cut, tape, nested, count, used, e);
    return true;
  }

  private Param param(int k) {
    return l.params().get(k).param();
  }

  private boolean touches(Stm t, Set<Name> roots) {
    if (roots.isEmpty()) {
      return false;
    }
    for (Name n : FreeNames.of(t)) {
      for (Name r : sweep.aliases().roots(n)) {
        if (roots.contains(r)) {
          return true;
        }
      }
    }
    return false;
  }

  // Carried values

  /** Returns a type outside an iteration, with carried sizes. */
  private Type outside(Type t, Emitter e) {
    Map<Name, SubExp> sub = new HashMap<>();
    for (SubExp d : t.dims()) {
      if (!(d instanceof SubExp.Var v)) {
        continue;
      }
      for (int k = 0; k < l.params().size(); k++) {
        if (!param(k).name().equals(v.name())) {
          continue;
        }
        Param size = sizes.computeIfAbsent(v.name(), n -> e.param("size", Type.I64));
        sub.put(v.name(), SubExp.of(size.name()));
      }
    }
    return sub.isEmpty() ? t : new Substitution(sub).type(t);
  }

  private Param carriedParam(String base, Type t, Emitter e) {
    return e.param(base, outside(t, e), t instanceof Type.Array);
  }

  private void carryParams(Adjoints inner, Emitter back, Emitter e) {
    for (int k = 0; k < l.params().size(); k++) {
      Param p = param(k);
      if (p.type() instanceof Type.Acc || !sweep.active().contains(p.name())) {
        continue;
      }
      Param adj = carriedParam(p.name().base() + "_adj", p.type(), e);
      inner.add(back, l.body().results().get(k), SubExp.of(adj.name()), true);
      Name z = s.pat().get(k).name();
      SubExp init = l.params().get(k).init();
      carried.add(
          new CarriedValue(
              adj,
              em -> sweep.adjoints().owned(em, z),
              em -> inner.owned(em, p.name()),
              v -> sweep.adjoints().add(e, init, v, true)));
    }
  }

  private void carryFree(Adjoints inner, Emitter e) {
    Set<Name> mine = new HashSet<>();
    for (Exp.LoopParam p : l.params()) {
      mine.add(p.param().name());
    }
    for (Name n : FreeNames.of(l.body())) {
      if (mine.contains(n) || !sweep.active().contains(n)) {
        continue;
      }
      Type t = e.type(n);
      if (t instanceof Type.Acc) {
        continue;
      }
      if (sweep.adjoints().get(n) instanceof Adjoints.Adjoint.Accumulated a) {
        Param acc = e.param("acc", e.type(a.acc()));
        inner.set(n, new Adjoints.Adjoint.Accumulated(acc.name()));
        carried.add(
            new CarriedValue(
                acc,
                em -> SubExp.of(a.acc()),
                em -> changed(inner, n, acc),
                v -> sweep.adjoints().set(n, new Adjoints.Adjoint.Accumulated(Emitter.array(v)))));
      } else {
        Param adj = e.param(n.base() + "_adj", t, t instanceof Type.Array);
        inner.set(n, SubExp.of(adj.name()), true);
        carried.add(
            new CarriedValue(
                adj,
                em -> sweep.adjoints().owned(em, n),
                em -> changed(inner, n, adj) == null ? null : inner.owned(em, n),
                v -> sweep.adjoints().set(n, v, true)));
      }
    }
  }

  /** Returns the final value of an adjoint, or null if it did not change. */
  private static @Nullable SubExp changed(Adjoints inner, Name n, Param begin) {
    SubExp same = SubExp.of(begin.name());
    return switch (inner.get(n)) {
      case Adjoints.Adjoint.Accumulated a when !a.acc().equals(begin.name()) -> SubExp.of(a.acc());
      case Adjoints.Adjoint.Dense d when !d.value().equals(same) -> d.value();
      case null, default -> null;
    };
  }

  private void carryStates(Sweep nested, Emitter e) {
    for (int k : inPlace) {
      Param p = param(k);
      Param state = carriedParam(p.name().base() + "_state", p.type(), e);
      boolean[] wanted = {only != null && only.param == k};
      nested
          .states()
          .consumed(
              ((SubExp.Var) l.body().results().get(k)).name(),
              States.AFTER,
              em -> {
                wanted[0] = true;
                return state.name();
              });
      PatElem z = s.pat().get(k);
      // Capture the state after the loop now, before statements in front of the loop are undone.
      States.Supplier after = only == null ? sweep.states().owned(z.name()) : only.after;
      SubExp init = l.params().get(k).init();
      carried.add(
          new CarriedValue(
              state,
              em -> SubExp.of(after.state(em)),
              em -> wanted[0] ? SubExp.of(nested.states().current(p.name(), em)) : null,
              v -> {
                Name was = Emitter.array(v);
                if (only != null) {
                  restored = was;
                } else if (init instanceof SubExp.Var i) {
                  sweep.states().known(i.name(), position, was);
                }
              }));
    }
  }

  // The tape

  /** Returns the tape; null if an array must be copied because its updates cannot be undone. */
  private @Nullable LoopTape tape(RecomputationPlan cut, Sweep nested) {
    Set<Name> bound = new HashSet<>();
    for (Exp.LoopParam p : l.params()) {
      bound.add(p.param().name());
    }
    for (Stm t : nested.forward()) {
      bound.addAll(t.names());
    }
    List<Name> entries = new ArrayList<>();
    for (int k = 0; k < l.params().size(); k++) {
      Name p = param(k).name();
      if (!cut.needed().contains(p) || frozen.contains(k)) {
        continue;
      }
      if (inPlace.contains(k)) {
        return null;
      }
      entries.add(p);
    }
    LoopTape tape = new LoopTape(entries, cut.saved());
    for (Name n : tape.names()) {
      for (SubExp d : sweep.back().type(n).dims()) {
        if (!(d instanceof SubExp.Var v) || !bound.contains(v.name())) {
          continue;
        }
        if (!inPlace.isEmpty()) {
          return null;
        }
        throw new PassException(
            s.aux().loc(),
            "Reverse mode cannot differentiate this loop: the return sweep needs the array "
                + n.base()
                + " of every iteration, and the size of the array varies among iterations."
                + " Give the array its maximal size, or use forward mode (jvp).");
      }
    }
    return tape;
  }

  /** Replaces the loop by a loop that writes the tape, and returns the trip count. */
  private SubExp forward(LoopTape tape, List<Stm> body, Emitter e) {
    Emitter before = e.inner().at(s.aux());
    TapedLoop taped = new TapedLoop(s, l, tape, before);
    Stm now = taped.write(body);
    before.add(now);
    sweep.replaceAt(position, s, before.stms());
    return taped.count(e);
  }

  /** Emits the loop from the last iteration to the first. */
  private void backward(
      RecomputationPlan cut,
      LoopTape tape,
      Sweep nested,
      SubExp count,
      List<CarriedValue> used,
      Emitter e) {
    List<Exp.LoopParam> params = new ArrayList<>();
    for (Map.Entry<Name, Param> size : sizes.entrySet()) {
      int k = l.params().stream().map(p -> p.param().name()).toList().indexOf(size.getKey());
      params.add(new Exp.LoopParam(size.getValue(), SubExp.of(s.pat().get(k).name())));
    }
    for (CarriedValue c : used) {
      params.add(new Exp.LoopParam(c.param, c.init.apply(e)));
    }
    Name j = e.names().fresh("j");
    e.scope().add(j, Type.I64);
    Emitter in = e.inner().at(Aux.at(s.aux().loc()));
    SubExp i = Arithmetic.sub(in, Arithmetic.sub(in, count, SubExp.i64(1)), SubExp.of(j));
    if (l.form() instanceof Exp.Form.For f && cut.needed().contains(f.index())) {
      ConvOp narrow = new ConvOp(ConvOp.Kind.SEXT, PrimType.I64, f.type());
      BasicOp index =
          f.type() == PrimType.I64 ? new BasicOp.SubExpOp(i) : new BasicOp.ConvOpExp(narrow, i);
      in.add(List.of(new PatElem(f.index(), Type.prim(f.type()))), index);
    }
    List<Stm> again = new AccumulatorRemoval(tokens(cut)).stms(cut.again());
    List<Stm> rest = new ArrayList<>();
    Emitter views = e.inner();
    rest.addAll(nested.states().frozen(again, views));
    rest.addAll(0, views.stms());
    rest.addAll(cut.back().stms());
    Set<Name> consumed = Consumption.of(new Body(rest, cut.back().results()), Aliases.of(rest));
    tape.read(in, i, consumed::contains);
    List<Stm> all = new ArrayList<>(in.stms());
    all.addAll(rest);
    Exp.Loop loop =
        new Exp.Loop(
            params, new Exp.Form.For(j, PrimType.I64, count), new Body(all, cut.back().results()));
    Exp.Loop renamed = (Exp.Loop) new Renamer(e.names()).exp(loop);
    List<PatElem> pat = new ArrayList<>();
    Map<Name, SubExp> stands = new HashMap<>();
    for (Exp.LoopParam p : params) {
      Name n = e.names().fresh(p.param().name());
      stands.put(p.param().name(), SubExp.of(n));
      pat.add(new PatElem(n, new Substitution(stands).type(p.param().type())));
    }
    Aux aux = new Aux(s.aux().certs(), StripMining.without(s.aux().attrs()), s.aux().loc());
    e.add(new Stm(pat, aux, renamed));
    e.scope().addAll(new Body(List.of(new Stm(pat, aux, renamed)), List.of()));
    for (int k = 0; k < used.size(); k++) {
      used.get(k).result.accept(SubExp.of(pat.get(sizes.size() + k).name()));
    }
  }

  /** Returns the tokens of the original program's accumulators in the repeated statements. */
  private Set<Name> tokens(RecomputationPlan cut) {
    Set<Name> tokens = new HashSet<>();
    for (Stm t : cut.again()) {
      for (Name n : FreeNames.of(t)) {
        if (sweep.back().scope().lookup(n) instanceof Type.Acc a) {
          tokens.add(a.token());
        }
      }
    }
    return tokens;
  }
}
