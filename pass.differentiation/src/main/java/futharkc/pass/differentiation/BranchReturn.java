package futharkc.pass.differentiation;

import futharkc.core.ir.Aux;
import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.Exp;
import futharkc.core.ir.FreeNames;
import futharkc.core.ir.Name;
import futharkc.core.ir.Param;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.Renamer;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Substitution;
import futharkc.core.ir.Type;
import futharkc.core.ir.analysis.Aliases;
import futharkc.core.ir.analysis.Consumption;
import futharkc.core.ir.build.Emitter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The branches of the return sweep. If the return sweep needs saved values, the branches of the
 * forward sweep get additional results.
 */
final class BranchReturn {
  /**
   * A restriction of the return sweep to the restoration of one array.
   *
   * @param result the position of the result that is the updated array
   * @param after the supplier of the array's value after the branches
   */
  record Restored(int result, States.Supplier after) {}

  /** The return sweep of one branch. */
  private record BranchSweep(Body body, Adjoints adjoints, Sweep sweep, Set<Integer> restores) {}

  /**
   * A result of the return branches.
   *
   * @param type the type of the result
   * @param values the value of each branch
   * @param sink the receiver of the result
   */
  private record Result(Type type, List<SubExp> values, Consumer<SubExp> sink) {}

  private final Sweep sweep;
  private final Stm s;
  private final Exp.Match m;
  private final int position;
  private final @Nullable Restored only;
  private final Map<Integer, Name> inPlace;
  private final Map<Integer, Param> states = new HashMap<>();
  private final Map<Name, Param> begins = new HashMap<>();
  private @Nullable Name restored;

  BranchReturn(Sweep sweep, Stm s, Exp.Match m, int position, @Nullable Restored only) {
    this.sweep = sweep;
    this.s = s;
    this.m = m;
    this.position = position;
    this.only = only;
    this.inPlace = BranchAdjoint.inPlace(s, m, sweep);
  }

  /**
   * Returns the array before the branches, or null if it was not requested or could not be
   * restored.
   */
  @Nullable Name restored() {
    return restored;
  }

  void emit(Emitter e) {
    List<Name> free = only == null ? tracked(e) : List.of();
    Map<Integer, Adjoints.Adjoint> given = new HashMap<>();
    if (only == null) {
      for (int k = 0; k < s.pat().size(); k++) {
        PatElem p = s.pat().get(k);
        if (p.type() instanceof Type.Acc || sweep.adjoints().isZero(p.name())) {
          continue;
        }
        SubExp value = sweep.adjoints().value(e, p.name());
        boolean owned =
            sweep.adjoints().get(p.name()) instanceof Adjoints.Adjoint.Dense d && d.owned();
        given.put(k, new Adjoints.Adjoint.Dense(value, owned));
      }
    }
    List<BranchSweep> ways = new ArrayList<>();
    for (Body b : BranchAdjoint.bodies(m)) {
      ways.add(back(b, free, given, e));
    }
    List<Result> results = new ArrayList<>();
    for (Name n : free) {
      addFree(n, ways, results);
    }
    for (int k : inPlace.keySet()) {
      addState(k, ways, results);
    }
    if (results.isEmpty()) {
      return;
    }
    begin(e);
    finish(ways, results, e);
  }

  /** Returns the free active variables of the branches. */
  private List<Name> tracked(Emitter e) {
    Set<Name> free = new LinkedHashSet<>();
    for (Body b : BranchAdjoint.bodies(m)) {
      free.addAll(FreeNames.of(b));
    }
    return free.stream()
        .filter(sweep.active()::contains)
        .filter(n -> !(e.type(n) instanceof Type.Acc))
        .toList();
  }

  private BranchSweep back(
      Body b, List<Name> free, Map<Integer, Adjoints.Adjoint> given, Emitter e) {
    Adjoints inner = new Adjoints(sweep.active());
    Sweep nested = sweep.inside(b, inner);
    Emitter back = nested.back().at(Aux.at(s.aux().loc()));
    for (Name n : free) {
      Adjoints.Adjoint outer = sweep.adjoints().get(n);
      if (outer instanceof Adjoints.Adjoint.Accumulated) {
        inner.set(n, outer);
      } else if (e.type(n) instanceof Type.Array t) {
        // The branches update this adjoint in place.
        Param begin = begins.computeIfAbsent(n, k -> e.param(n.base() + "_adj", t));
        inner.set(n, SubExp.of(begin.name()), true);
      } else if (outer != null) {
        inner.set(n, outer);
      }
    }
    given.forEach(
        (k, adj) -> {
          var d = (Adjoints.Adjoint.Dense) adj;
          inner.add(back, b.results().get(k), d.value(), d.owned());
        });
    Set<Integer> restores = new HashSet<>();
    for (int k : inPlace.keySet()) {
      Param state = states.computeIfAbsent(k, i -> e.param("state", s.pat().get(k).type()));
      if (only != null && only.result == k) {
        restores.add(k);
      }
      nested
          .states()
          .consumed(
              ((SubExp.Var) b.results().get(k)).name(),
              States.AFTER,
              em -> {
                restores.add(k);
                return Emitter.array(
                    em.coerce(SubExp.of(state.name()), em.type(b.results().get(k))));
              });
    }
    nested.run();
    return new BranchSweep(b, inner, nested, restores);
  }

  private void addFree(Name n, List<BranchSweep> ways, List<Result> results) {
    Param begin = begins.get(n);
    Adjoints.Adjoint outer = sweep.adjoints().get(n);
    boolean changed = false;
    for (BranchSweep w : ways) {
      changed |= isChanged(w.adjoints.get(n), outer, begin);
    }
    if (!changed) {
      begins.remove(n);
      return;
    }
    List<SubExp> values = new ArrayList<>();
    for (BranchSweep w : ways) {
      Adjoints.Adjoint now = w.adjoints.get(n);
      values.add(
          now instanceof Adjoints.Adjoint.Accumulated a
              ? SubExp.of(a.acc())
              : w.adjoints.owned(w.sweep.back(), n));
    }
    Type t =
        outer instanceof Adjoints.Adjoint.Accumulated a
            ? sweep.back().type(a.acc())
            : sweep.back().type(n);
    results.add(
        new Result(
            t,
            values,
            v -> {
              if (t instanceof Type.Acc) {
                sweep.adjoints().set(n, new Adjoints.Adjoint.Accumulated(Emitter.array(v)));
              } else {
                sweep.adjoints().set(n, v, true);
              }
            }));
  }

  private static boolean isChanged(
      Adjoints.@Nullable Adjoint now, Adjoints.@Nullable Adjoint outer, @Nullable Param begin) {
    if (begin == null) {
      return now != null && !now.equals(outer);
    }
    return !(now instanceof Adjoints.Adjoint.Dense d) || !d.value().equals(SubExp.of(begin.name()));
  }

  private void addState(int k, List<BranchSweep> ways, List<Result> results) {
    if (ways.stream().noneMatch(w -> w.restores.contains(k))) {
      states.remove(k);
      return;
    }
    Name array = inPlace.get(k);
    if (array == null) {
      throw new IllegalStateException("no array to restore");
    }
    List<SubExp> values = new ArrayList<>();
    for (BranchSweep w : ways) {
      values.add(SubExp.of(w.sweep.states().current(array, w.sweep.back())));
    }
    results.add(
        new Result(
            sweep.back().type(array),
            values,
            v -> {
              Name was = Emitter.array(v);
              if (only != null && only.result == k) {
                restored = was;
              } else {
                sweep.states().known(array, position, was);
              }
            }));
  }

  /** Binds the initial values of the branches: adjoints of arrays, and states. */
  private void begin(Emitter e) {
    begins.forEach(
        (n, begin) -> {
          SubExp value = sweep.adjoints().owned(e, n);
          e.alias(begin.name(), begin.type(), value);
          // If no branch changes the adjoint, this name still holds it.
          sweep.adjoints().set(n, SubExp.of(begin.name()), true);
        });
    states.forEach(
        (k, p) -> {
          States.Supplier after =
              only != null && only.result == k
                  ? only.after
                  : sweep.states().owned(s.pat().get(k).name());
          e.alias(p.name(), p.type(), SubExp.of(after.state(e)));
        });
  }

  private void finish(List<BranchSweep> ways, List<Result> results, Emitter e) {
    Set<Name> overwritten = new HashSet<>();
    for (Name a : inPlace.values()) {
      overwritten.addAll(sweep.aliases().roots(a));
    }
    List<Body> forward = new ArrayList<>();
    List<RecomputationPlan> cuts = new ArrayList<>();
    for (int i = 0; i < ways.size(); i++) {
      BranchSweep w = ways.get(i);
      int branch = i;
      List<SubExp> values = results.stream().map(r -> r.values.get(branch)).toList();
      List<Stm> stms = w.sweep.forward();
      cuts.add(
          RecomputationPlan.of(
              stms, w.sweep.back().body(values), t -> touches(t, overwritten), e.scope()));
      forward.add(new Body(stms, w.body.results()));
    }
    BranchTape kept = new BranchTape(s, forward, cuts, sweep.back());
    if (kept.isAny()) {
      sweep.replaceAt(
          position,
          s,
          List.of(new Stm(kept.pat(), s.aux(), BranchAdjoint.with(m, kept.forward()))));
    } else {
      Stm same = new Stm(s.pat(), s.aux(), BranchAdjoint.with(m, forward));
      sweep.replaceAt(position, s, List.of(same));
    }
    List<Body> back = new ArrayList<>();
    for (int i = 0; i < ways.size(); i++) {
      back.add(again(cuts.get(i), kept.names(i), e));
    }
    List<PatElem> pat = new ArrayList<>();
    for (Result r : results) {
      pat.add(new PatElem(e.names().fresh("adj"), r.type));
    }
    e.at(new Aux(s.aux().certs(), s.aux().attrs(), s.aux().loc()));
    Stm all = new Stm(pat, e.aux(), BranchAdjoint.with(m, back));
    e.add(all);
    e.scope().addAll(new Body(List.of(all), List.of()));
    for (int k = 0; k < results.size(); k++) {
      results.get(k).sink.accept(SubExp.of(pat.get(k).name()));
    }
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

  /** Returns a branch of the return sweep with fresh names. */
  private Body again(RecomputationPlan cut, Map<Name, Name> kept, Emitter e) {
    Set<Name> tokens = new HashSet<>();
    for (Stm t : cut.again()) {
      for (Name n : FreeNames.of(t)) {
        if (e.scope().lookup(n) instanceof Type.Acc a) {
          tokens.add(a.token());
        }
      }
    }
    List<Stm> stms = new ArrayList<>(new AccumulatorRemoval(tokens).stms(cut.again()));
    stms.addAll(cut.back().stms());
    Set<Name> consumed = Consumption.of(new Body(stms, cut.back().results()), Aliases.of(stms));
    Emitter copies = e.inner();
    Map<Name, SubExp> values = new HashMap<>();
    kept.forEach(
        (n, result) -> {
          SubExp v = SubExp.of(result);
          boolean copy = consumed.contains(n) && copies.type(result) instanceof Type.Array;
          values.put(
              n,
              copy
                  ? copies.let(n.base(), copies.type(result), new BasicOp.Replicate(List.of(), v))
                  : v);
        });
    Body b = new Substitution(values).body(new Body(stms, cut.back().results()));
    List<Stm> all = new ArrayList<>(copies.stms());
    all.addAll(b.stms());
    return new Renamer(e.names()).body(new Body(all, b.results()));
  }
}
