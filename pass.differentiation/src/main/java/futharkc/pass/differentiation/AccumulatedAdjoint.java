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
 * Adjoints of arrays as accumulators that add, for as long as many iterations at once add to them.
 *
 * <pre>
 * for all i at once, x_[k(i)] += v(i)    =>    with_acc x_ (+) \acc -> map (\i -> update_acc acc k(i) v(i))
 * </pre>
 */
final class Accumulating {
  private Accumulating() {}

  /** What adds to an accumulator, and returns it. */
  interface Adding {
    Name to(Emitter in, Name acc);
  }

  /** The type of an accumulator of scalars for an adjoint of an array's type. */
  static Type.Acc type(Name token, Type array) {
    return new Type.Acc(token, array.dims(), List.of(Type.prim(array.elemPrim())));
  }

  /** An input that adds to an array. */
  static Exp.AccInput input(Emitter e, SubExp array) {
    Type t = e.type(array);
    Type scalar = Type.prim(t.elemPrim());
    List<Param> params = new ArrayList<>();
    for (int d = 0; d < t.rank(); d++) params.add(e.param("i", Type.I64));
    Lambda sum = Arithmetic.summing(e, scalar).op();
    params.addAll(sum.params());
    Lambda op = new Lambda(params, sum.body(), sum.results());
    return new Exp.AccInput(
        t.dims(),
        List.of(Emitter.array(array)),
        new Exp.AccOp(op, List.of(Arithmetic.zero(t.elemPrim()))));
  }

  /** Adds to the adjoint of an array by way of an accumulator. */
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
