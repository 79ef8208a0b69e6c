package futharkc.backend.interpreter;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.BinOp;
import futharkc.core.ir.CmpOp;
import futharkc.core.ir.ConvOp;
import futharkc.core.ir.PrimFun;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.UnOp;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An operation on scalars, as it is differentiated.
 *
 * @param result the type of the result
 */
record Operation(Form form, PrimType result, ScalarFunctions.Function function) {
  /** Which one. */
  sealed interface Form {
    record Binary(BinOp op) implements Form {}

    record Unary(UnOp op) implements Form {}

    record Compare(CmpOp op) implements Form {}

    record Convert(ConvOp op) implements Form {}

    record Call(PrimFun fun) implements Form {}

    /** The derivative of that order of the digamma function; of order 0, that itself. */
    record Polygamma(int order, PrimType type) implements Form {}
  }

  /** An operation of a program and its operands. */
  record Use(Operation op, List<SubExp> operands) {}

  static Operation of(BinOp op) {
    ScalarOps.Binary f = ScalarOps.binary(op);
    return new Operation(new Form.Binary(op), op.type(), (a, b, c) -> f.apply(a, b));
  }

  static Operation of(UnOp op) {
    ScalarOps.Unary f = ScalarOps.unary(op);
    return new Operation(new Form.Unary(op), op.type(), (a, b, c) -> f.apply(a));
  }

  private static Operation of(CmpOp op) {
    ScalarOps.Binary f = ScalarOps.compare(op);
    return new Operation(new Form.Compare(op), PrimType.BOOL, (a, b, c) -> f.apply(a, b));
  }

  static Operation of(ConvOp op) {
    ScalarOps.Unary f = ScalarOps.convert(op);
    return new Operation(new Form.Convert(op), op.to(), (a, b, c) -> f.apply(a));
  }

  static Operation of(PrimFun f) {
    return new Operation(new Form.Call(f), f.result(), ScalarFunctions.of(f));
  }

  static Operation polygamma(int order, PrimType t) {
    return new Operation(
        new Form.Polygamma(order, t),
        t,
        switch (t) {
          case F16 ->
              (a, b, c) ->
                  Float.floatToFloat16(
                      (float) Polygamma.of(order, Float.float16ToFloat((short) a)));
          case F32 -> (a, b, c) -> ScalarOps.bits((float) Polygamma.of(order, ScalarOps.f32(a)));
          default -> (a, b, c) -> ScalarOps.bits(Polygamma.of(order, ScalarOps.f64(a)));
        });
  }

  /** What an expression does to scalars; null if that is no operation of this kind. */
  static @Nullable Use of(BasicOp e) {
    return switch (e) {
      case BasicOp.BinOpExp x -> new Use(of(x.op()), List.of(x.left(), x.right()));
      case BasicOp.UnOpExp x -> new Use(of(x.op()), List.of(x.operand()));
      case BasicOp.CmpOpExp x -> new Use(of(x.op()), List.of(x.left(), x.right()));
      case BasicOp.ConvOpExp x -> new Use(of(x.op()), List.of(x.operand()));
      case BasicOp.PrimFunExp x -> new Use(of(x.fun()), x.args());
      default -> null;
    };
  }

  /**
   * Applies it at the highest level of the operands; what is of a lower level is constant there.
   */
  Num apply(Num... x) {
    Num.@Nullable Derived top = null;
    for (Num n : x) {
      if (n instanceof Num.Derived d && (top == null || d.level() > top.level())) top = d;
    }
    return switch (top) {
      case null -> new Num.Const(bits(x));
      case Num.Dual d -> Num.Dual.apply(this, x, d);
      case Tape.Node n -> n.tape.apply(this, x);
    };
  }

  private long bits(Num[] x) {
    long a = x[0].bits();
    return function.apply(a, x.length > 1 ? x[1].bits() : a, x.length > 2 ? x[2].bits() : a);
  }
}
