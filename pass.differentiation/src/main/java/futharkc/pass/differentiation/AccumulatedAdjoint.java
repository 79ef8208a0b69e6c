package futharkc.pass.differentiation;

import futharkc.core.ir.Exp;
import futharkc.core.ir.Lambda;
import futharkc.core.ir.Name;
import futharkc.core.ir.Param;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import futharkc.core.ir.build.Arithmetic;
import futharkc.core.ir.build.Emitter;
import java.util.ArrayList;
import java.util.List;

/**
 * Accumulators for adjoints of arrays, for code in which several iterations add to an adjoint at
 * once.
 *
 * <pre>
 * for all i at once, x_[k(i)] += v(i)    =>    with_acc x_ (+) \acc -> map (\i -> update_acc acc k(i) v(i))
 * </pre>
 */
final class AccumulatedAdjoint {
  private AccumulatedAdjoint() {}

  /** Code that adds to an accumulator and returns the updated accumulator. */
  interface Adding {
    Name to(Emitter in, Name acc);
  }

  /** Returns the type of an accumulator of scalars for the adjoint of an array. */
  static Type.Acc type(Name token, Type array) {
    return new Type.Acc(token, array.dims(), List.of(Type.prim(array.elemPrim())));
  }

  /** Returns an accumulator input that adds to an array. */
  static Exp.AccInput input(Emitter e, SubExp array) {
    Type t = e.type(array);
    Type scalar = Type.prim(t.elemPrim());
    List<Param> params = new ArrayList<>();
    for (int d = 0; d < t.rank(); d++) {
      params.add(e.param("i", Type.I64));
    }
    Lambda sum = Arithmetic.summing(e, scalar).op();
    params.addAll(sum.params());
    Lambda op = new Lambda(params, sum.body(), sum.results());
    return new Exp.AccInput(
        t.dims(),
        List.of(Emitter.array(array)),
        new Exp.AccOp(op, List.of(Arithmetic.zero(t.elemPrim()))));
  }

  /** Adds to the adjoint of an array through an accumulator. */
  static void add(Adjoints adjoints, Emitter e, Name x, Adding adding) {
    if (adjoints.get(x) instanceof Adjoints.Adjoint.Accumulated a) {
      adjoints.set(x, new Adjoints.Adjoint.Accumulated(adding.to(e, a.acc())));
      return;
    }
    SubExp array = adjoints.owned(e, x);
    Param token = e.param("token", Type.UNIT);
    Param acc = e.param("acc", type(token.name(), e.type(x)));
    Lambda l = e.lambda(List.of(token, acc), in -> List.of(SubExp.of(adding.to(in, acc.name()))));
    Exp.AccInput input = input(e, array);
    adjoints.set(x, e.let("adj", e.type(x), new Exp.WithAcc(List.of(input), l)), true);
  }
}
