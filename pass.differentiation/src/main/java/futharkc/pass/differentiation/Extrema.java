package futharkc.pass.differentiation;

import static futharkc.pass.differentiation.Arithmetic.compare;
import static futharkc.pass.differentiation.Arithmetic.times;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.BinOp;
import futharkc.core.ir.CmpOp;
import futharkc.core.ir.Lambda;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import java.util.List;

/**
 * Minima and maxima that say where they are from. A minimum or maximum of many scalars is one of
 * them, and so is its derivative:
 *
 * <pre>
 * y = max x[0], .., x[n-1] = x[k]        y' = x'[k]        x_[k] += y_
 * </pre>
 *
 * <p>The operator works on values with indices: of equal values that with the least index counts,
 * numbers come before what is not a number. The neutral element has the greatest index there is, so
 * that a value that equals it still counts; a histogram's old value has the index -1.
 */
final class Extrema {
  /** The index of what is no element. */
  static final SubExp NOWHERE = SubExp.i64(Long.MAX_VALUE);

  /** The index of a histogram's old value. */
  static final SubExp OLD = SubExp.i64(-1);

  private Extrema() {}

  /** On (value, index) and (value, index): associative and commutative. */
  static Lambda operator(Emitter around, BinOp op) {
    Type value = Type.prim(op.type());
    return around.lambda(
        "m",
        List.of(value, Type.I64, value, Type.I64),
        (e, x) -> {
          SubExp best = e.let("best", value, new BasicOp.BinOpExp(op, x.get(0), x.get(2)));
          SubExp second = isSecond(e, op, x);
          return List.of(best, e.select(second, x.get(3), x.get(1)));
        });
  }

  private static SubExp isSecond(Emitter e, BinOp op, List<SubExp> x) {
    SubExp a = x.get(0);
    SubExp b = x.get(2);
    PrimType t = op.type();
    SubExp better =
        switch (op.kind()) {
          case SMAX -> compare(e, CmpOp.Kind.SLT, t, a, b);
          case UMAX -> compare(e, CmpOp.Kind.ULT, t, a, b);
          case FMAX -> compare(e, CmpOp.Kind.FLT, t, a, b);
          case SMIN -> compare(e, CmpOp.Kind.SLT, t, b, a);
          case UMIN -> compare(e, CmpOp.Kind.ULT, t, b, a);
          case FMIN -> compare(e, CmpOp.Kind.FLT, t, b, a);
          default -> throw new IllegalArgumentException("no extremum: " + op);
        };
    SubExp same = compare(e, CmpOp.Kind.EQ, t, a, b);
    if (t.isFloat()) {
      SubExp number = compare(e, CmpOp.Kind.EQ, t, a, a);
      SubExp other = compare(e, CmpOp.Kind.EQ, t, b, b);
      SubExp none = Arithmetic.unary(e, futharkc.core.ir.UnOp.Kind.NOT, PrimType.BOOL, number);
      better = or(e, better, times(e, PrimType.BOOL, none, other));
      SubExp neither =
          Arithmetic.unary(e, futharkc.core.ir.UnOp.Kind.NOT, PrimType.BOOL, or(e, number, other));
      same = or(e, same, neither);
    }
    SubExp earlier = compare(e, CmpOp.Kind.SLT, PrimType.I64, x.get(3), x.get(1));
    return or(e, better, times(e, PrimType.BOOL, same, earlier));
  }

  private static SubExp or(Emitter e, SubExp a, SubExp b) {
    return Arithmetic.plus(e, PrimType.BOOL, a, b);
  }

  /** The element at an index, or another value of its type if the index is outside. */
  static SubExp element(Emitter e, SubExp array, SubExp index, SubExp otherwise) {
    SubExp inside = Arithmetic.inRange(e, index, e.type(array).outerSize());
    return e.conditional(
            "at",
            List.of(e.type(array).row()),
            inside,
            in -> List.of(in.index(array, List.of(index))),
            in -> List.of(otherwise))
        .get(0);
  }
}
