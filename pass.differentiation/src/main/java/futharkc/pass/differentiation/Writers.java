package futharkc.pass.differentiation;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.Body;
import futharkc.core.ir.Exp;
import futharkc.core.ir.Lambda;
import futharkc.core.ir.Mapper;
import futharkc.core.ir.Name;
import futharkc.core.ir.Param;
import futharkc.core.ir.Renamer;
import futharkc.core.ir.Soac;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Substitution;
import futharkc.core.ir.Type;
import futharkc.core.ir.build.Arithmetic;
import futharkc.core.ir.build.Emitter;
import futharkc.core.ir.liveness.DeadCode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An analysis of the writer of each element in a {@code WithAcc} without an operator. It executes
 * the updates again with other values at the same indices, into other arrays.
 *
 * <p>A writer is an iteration of a map with the accumulator as an input. The map gets the iteration
 * numbers as an additional input.
 */
final class Writers {
  private final Sweep sweep;
  private final Exp.WithAcc w;
  private final Body body;
  private final Map<Integer, Name> numbers = new HashMap<>();
  private Substitution kept = new Substitution(Map.of());

  Writers(Sweep sweep, Exp.WithAcc w) {
    this.sweep = sweep;
    this.w = w;
    this.body = numbered();
  }

  /** Returns the body, with numbered writers. */
  Body body() {
    return body;
  }

  /** Returns the name of the writer's number for an input; null if there is at most one writer. */
  @Nullable Name writer(int input) {
    return numbers.get(input);
  }

  /** Sets new names for the values that the body computes. */
  void revise(Substitution names) {
    kept = names;
  }

  private Body numbered() {
    List<Stm> stms = new ArrayList<>();
    Emitter e = sweep.back();
    for (Stm t : w.lambda().body().stms()) {
      if (!(t.exp() instanceof Soac.Screma x) || !writes(x)) {
        stms.add(t);
        continue;
      }
      Param number = e.param("writer", Type.I64);
      Emitter iota = e.inner().at(t.aux());
      List<Name> inputs = new ArrayList<>(x.inputs());
      inputs.add(Emitter.array(iota.iota(x.width())));
      stms.addAll(iota.stms());
      List<Param> params = new ArrayList<>(x.map().params());
      params.add(number);
      Lambda f = new Lambda(params, x.map().body(), x.map().results());
      stms.add(t.withExp(new Soac.Screma(x.width(), inputs, f, x.scans(), x.reduces(), x.post())));
      for (Param p : x.map().params()) {
        if (!(p.type() instanceof Type.Acc a)) {
          continue;
        }
        for (int i = 0; i < w.inputs().size(); i++) {
          if (w.lambda().params().get(i).name().equals(a.token())) {
            numbers.put(i, number.name());
          }
        }
      }
    }
    return new Body(stms, w.lambda().body().results());
  }

  private boolean writes(Soac.Screma x) {
    for (Param p : x.map().params()) {
      if (!(p.type() instanceof Type.Acc a)) {
        continue;
      }
      for (int i = 0; i < w.inputs().size(); i++) {
        boolean mine = w.lambda().params().get(i).name().equals(a.token());
        if (mine && w.inputs().get(i).op() == null) {
          return true;
        }
      }
    }
    return false;
  }

  /** Returns, for each index, the number of the last writer; null if no writer has a number. */
  @Nullable SubExp last(int input, Emitter e) {
    Name number = numbers.get(input);
    if (number == null) {
      return null;
    }
    List<SubExp> space = w.inputs().get(input).space();
    Type t = Type.array(Type.I64, space);
    SubExp blank = e.let("writers", t, new BasicOp.Scratch(t.elemPrim(), t.dims()));
    return again(input, List.of(blank), List.of(SubExp.of(number)), e).get(0);
  }

  /** Returns copies of arrays with zero at all written indices. */
  List<SubExp> cleared(int input, List<SubExp> arrays, Emitter e) {
    List<SubExp> owned = new ArrayList<>();
    List<SubExp> zeros = new ArrayList<>();
    int rank = w.inputs().get(input).space().size();
    for (SubExp a : arrays) {
      owned.add(e.copy(a));
      zeros.add(Arithmetic.zeros(e, e.type(a).peel(rank)));
    }
    return again(input, owned, zeros, e);
  }

  /** Executes the updates of an input again, with other values and into other arrays. */
  private List<SubExp> again(int input, List<SubExp> arrays, List<SubExp> values, Emitter e) {
    int n = w.inputs().size();
    Lambda l = w.lambda();
    Param token = l.params().get(input);
    Param acc = l.params().get(n + input);
    List<SubExp> space = w.inputs().get(input).space();
    Body only = new Body(body.stms(), List.of(body.results().get(input)));
    Set<Name> others = new HashSet<>();
    for (int i = 0; i < n; i++) {
      if (i != input) {
        others.add(l.params().get(i).name());
      }
    }
    List<Type> elems = new ArrayList<>();
    for (SubExp a : arrays) {
      elems.add(e.type(a).peel(space.size()));
    }
    Body other = new ReplacedUpdates(token.name(), elems, values).body(only);
    other = new AccumulatorRemoval(others).body(new DeadCode().body(other));
    Type.Acc t = new Type.Acc(token.name(), space, elems);
    Lambda f =
        new Lambda(
            List.of(token, new Param(acc.name(), t)),
            new DeadCode().body(new RecomputationPlan.Unchecked(bound(body)).body(other)),
            List.of(t));
    Lambda renamed = new Renamer(e.names()).lambda(f);
    e.scope().addParams(renamed.params());
    e.scope().addAll(renamed.body());
    List<Name> names = arrays.stream().map(Emitter::array).toList();
    var in = new Exp.AccInput(space, names, null);
    Exp all = kept.exp(new Exp.WithAcc(List.of(in), renamed));
    return e.letAll("again", names.stream().map(e::type).toList(), all);
  }

  private static Set<Name> bound(Body b) {
    Set<Name> names = new HashSet<>();
    for (Stm t : b.stms()) {
      names.addAll(t.names());
    }
    return names;
  }

  /** A traversal that replaces an accumulator's arrays and the values of its updates. */
  private static final class ReplacedUpdates extends Mapper {
    private final Name token;
    private final List<Type> elems;
    private final List<SubExp> values;

    ReplacedUpdates(Name token, List<Type> elems, List<SubExp> values) {
      this.token = token;
      this.elems = elems;
      this.values = values;
    }

    @Override
    public Type type(Type t) {
      return t instanceof Type.Acc a && a.token().equals(token)
          ? new Type.Acc(token, a.space(), elems)
          : t;
    }

    @Override
    public Stm stm(Stm s) {
      Stm t = super.stm(s);
      boolean mine =
          s.exp() instanceof BasicOp.UpdateAcc
              && s.pat().get(0).type() instanceof Type.Acc a
              && a.token().equals(token);
      if (!mine || !(t.exp() instanceof BasicOp.UpdateAcc u)) {
        return t;
      }
      return t.withExp(new BasicOp.UpdateAcc(u.inRange(), u.acc(), u.index(), values));
    }
  }
}
