package futharkc.pass.differentiation;

import static futharkc.core.ir.build.Arithmetic.compare;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.CmpOp;
import futharkc.core.ir.Exp;
import futharkc.core.ir.FreeNames;
import futharkc.core.ir.Lambda;
import futharkc.core.ir.Name;
import futharkc.core.ir.Param;
import futharkc.core.ir.PatElem;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.Slice;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Substitution;
import futharkc.core.ir.Type;
import futharkc.core.ir.build.Arithmetic;
import futharkc.core.ir.build.Emitter;
import futharkc.core.ir.spi.PassException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reverse mode of accumulators, which includes scatters.
 *
 * <pre>
 * y = with_acc x (+) f       x_ += y_;                        for each update at i with v: v_ += y_[i]
 * y = with_acc x f           x_ += y_ with [all i] = 0;       for each update at i with v that is the
 *                                                             last at i:                   v_ += y_[i]
 * </pre>
 *
 * <p>The adjoint of an accumulator is constant while f updates the accumulator. The return sweep
 * reads this adjoint at each update in f. Of several updates without an operator at one index, only
 * the last one has an adjoint. A second execution of the updates with the numbers of the writers
 * finds the last one.
 *
 * <p>Known gaps: if one writer makes several updates at one index in a loop, all of them get an
 * adjoint; an operator other than a sum has no derivative.
 */
final class AccumulatorAdjoint {
  /**
   * The adjoints for the return sweep of an accumulator's updates.
   *
   * @param adjoints the adjoints of the accumulator's arrays, null for zero
   * @param writers for each index, the number of the last writer; null if all updates count
   * @param writer the number of the current writer; null if writers have no numbers
   */
  record Cotangent(
      List<@Nullable SubExp> adjoints, @Nullable SubExp writers, @Nullable Name writer) {}

  private final Sweep sweep;
  private final Stm s;
  private final Exp.WithAcc w;
  private final Adjoints adjoints;

  AccumulatorAdjoint(Sweep sweep, Stm s, Exp.WithAcc w) {
    this.sweep = sweep;
    this.s = s;
    this.w = w;
    this.adjoints = sweep.adjoints();
  }

  void reverse(Emitter e) {
    Lambda l = w.lambda();
    for (Param p : l.params()) {
      e.scope().add(p.name(), p.type());
    }
    int n = w.inputs().size();
    List<List<@Nullable SubExp>> ys = new ArrayList<>();
    int at = 0;
    for (Exp.AccInput in : w.inputs()) {
      List<@Nullable SubExp> mine = new ArrayList<>();
      for (int k = 0; k < in.arrays().size(); k++) {
        mine.add(sweep.adjoint(e, s.pat().get(at++)));
      }
      ys.add(mine);
    }
    Writers writers = new Writers(sweep, w);
    for (int i = 0; i < n; i++) {
      Exp.AccInput in = w.inputs().get(i);
      Name token = l.params().get(i).name();
      if (in.op() != null && !isSum(in)) {
        throw unknown();
      }
      boolean overwrites = in.op() == null && ys.get(i).stream().anyMatch(y -> y != null);
      SubExp last = overwrites ? writers.last(i, e) : null;
      sweep
          .derivation()
          .accumulators()
          .put(token, new Cotangent(ys.get(i), last, writers.writer(i)));
    }
    List<SubExp> results = l.body().results();
    Sweep nested = sweep.inside(writers.body(), adjoints);
    for (int k = n; k < results.size(); k++) {
      SubExp y = sweep.adjoint(e, s.pat().get(at + k - n));
      if (y != null) {
        adjoints.add(nested.back(), results.get(k), y);
      }
    }
    nested.run();
    forward(nested, writers, e);
    for (int i = 0; i < n; i++) {
      initial(i, ys.get(i), writers, e);
    }
    for (int i = 0; i < n; i++) {
      sweep.derivation().accumulators().remove(l.params().get(i).name());
    }
  }

  private PassException unknown() {
    return new PassException(
        s.aux().loc(),
        "Reverse mode cannot differentiate an accumulator whose operator is not a sum."
            + " Use reduce_by_index, or forward mode (jvp).");
  }

  /** Tests whether an accumulator adds each component independently. */
  static boolean isSum(Exp.AccInput in) {
    Exp.AccOp op = in.op();
    if (op == null) {
      return false;
    }
    Lambda f = op.lambda();
    Lambda plain =
        new Lambda(f.params().subList(in.space().size(), f.params().size()), f.body(), f.results());
    for (List<Integer> group : OperatorForms.groups(plain)) {
      if (group.size() > 1 || !OperatorForms.isSum(OperatorForms.restrict(plain, group))) {
        return false;
      }
    }
    return true;
  }

  /** Emits the body once, with all values that the return sweep needs as additional results. */
  private void forward(Sweep nested, Writers writers, Emitter e) {
    List<Stm> body = nested.forward();
    List<Stm> back = nested.back().stms();
    Set<Name> bound = new HashSet<>();
    for (Stm t : body) {
      bound.addAll(t.names());
    }
    Set<Name> needed = new LinkedHashSet<>();
    Set<Name> later = new HashSet<>();
    for (Stm t : back) {
      for (Name f : FreeNames.of(t)) {
        if (!bound.contains(f) || later.contains(f)) {
          continue;
        }
        for (Name size : FreeNames.of(e.type(f))) {
          if (bound.contains(size)) {
            needed.add(size);
          }
        }
        needed.add(f);
      }
      later.addAll(t.names());
    }
    List<PatElem> pat = new ArrayList<>(s.pat());
    List<SubExp> results = new ArrayList<>(w.lambda().body().results());
    List<Type> types = new ArrayList<>(w.lambda().results());
    Map<Name, SubExp> outside = new HashMap<>();
    for (Name f : needed) {
      Name result = e.names().fresh(f);
      Type t = new Substitution(outside).type(e.type(f));
      outside.put(f, SubExp.of(result));
      pat.add(new PatElem(result, t));
      results.add(SubExp.of(f));
      types.add(t);
    }
    Lambda l = new Lambda(w.lambda().params(), new Body(body, results), types);
    Stm now = new Stm(pat, s.aux(), new Exp.WithAcc(w.inputs(), l));
    sweep.replaceAt(sweep.position(), s, List.of(now));
    Substitution sub = new Substitution(outside);
    Set<Name> checks = new HashSet<>(bound);
    for (Stm t : back) {
      List<Name> certs = t.aux().certs().stream().filter(c -> !checks.contains(c)).toList();
      e.add(sub.stm(new Stm(t.pat(), t.aux().withCerts(certs), t.exp())));
    }
    writers.revise(sub);
  }

  /** Adds the adjoints of the elements without an update to the adjoints of the initial arrays. */
  private void initial(int i, List<@Nullable SubExp> ys, Writers writers, Emitter e) {
    Exp.AccInput in = w.inputs().get(i);
    List<Name> arrays = in.arrays();
    List<Integer> active = new ArrayList<>();
    for (int k = 0; k < arrays.size(); k++) {
      if (ys.get(k) != null && adjoints.isActive(SubExp.of(arrays.get(k)))) {
        active.add(k);
      }
    }
    if (active.isEmpty()) {
      return;
    }
    List<SubExp> begin = new ArrayList<>();
    for (int k : active) {
      SubExp y = ys.get(k);
      if (y == null) {
        throw new IllegalStateException("no adjoint");
      }
      begin.add(y);
    }
    List<SubExp> left = in.op() != null ? begin : writers.cleared(i, begin, e);
    for (int k = 0; k < active.size(); k++) {
      adjoints.add(e, SubExp.of(arrays.get(active.get(k))), left.get(k), in.op() == null);
    }
  }

  // Updates

  /** Applies the rule of one update. */
  static void updated(Sweep sweep, Emitter e, BasicOp.UpdateAcc x) {
    Type.Acc t = (Type.Acc) e.type(x.acc());
    Cotangent c = sweep.derivation().accumulators().get(t.token());
    if (c == null) {
      throw new IllegalStateException("accumulator " + x.acc() + " has no adjoint");
    }
    SubExp counts = counts(e, x, t, c);
    for (int k = 0; k < x.values().size(); k++) {
      SubExp y = c.adjoints.get(k);
      if (y == null || !sweep.adjoints().isActive(x.values().get(k))) {
        continue;
      }
      Type elem = t.elems().get(k);
      SubExp part =
          counts.equals(SubExp.TRUE)
              ? e.index(y, x.index())
              : e.conditional(
                      "part",
                      List.of(elem),
                      counts,
                      in -> List.of(in.copy(in.index(y, x.index()))),
                      in -> List.of(Arithmetic.zeros(in, elem)))
                  .get(0);
      sweep.adjoints().add(e, x.values().get(k), part);
    }
  }

  /** Returns whether an update is in range and is the last one at its index. */
  private static SubExp counts(Emitter e, BasicOp.UpdateAcc x, Type.Acc t, Cotangent c) {
    SubExp inside =
        x.inRange()
            ? SubExp.TRUE
            : Adjoints.isInside(e, x.index(), Type.array(Type.I64, t.space()));
    SubExp writers = c.writers;
    Name writer = c.writer;
    if (writers == null || writer == null) {
      return inside;
    }
    return e.conditional(
            "last",
            List.of(Type.BOOL),
            inside,
            in -> {
              SubExp who =
                  in.let(
                      "who",
                      Type.I64,
                      new BasicOp.Index(
                          Emitter.array(writers), Slice.fix(x.index(), in.type(writers).dims())));
              return List.of(compare(in, CmpOp.Kind.EQ, PrimType.I64, who, SubExp.of(writer)));
            },
            in -> List.of(SubExp.FALSE))
        .get(0);
  }
}
