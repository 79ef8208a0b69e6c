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
 * A differentiable operation on scalars.
 *
 * @param form the operator or function
 * @param result the type of the result
 * @param function the function that computes the result
 */
record Operation(Form form, PrimType result, ScalarFunctions.Function function) {
  /** The kinds of operations. */
  sealed interface Form {
    record Binary(BinOp op) implements Form {}

    record Unary(UnOp op) implements Form {}

    record Compare(CmpOp op) implements Form {}

    record Convert(ConvOp op) implements Form {}

    record Call(PrimFun fun) implements Form {}

    /**
     * The polygamma function of an order: the derivative, of this order, of the digamma function.
     * Order 0 is the digamma function.
     */
    record Polygamma(int order, PrimType type) implements Form {}
  }

  /** An operation of a program with its operands. */
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

  /**
   * Returns the scalar operation of an expression; null if the expression is not a scalar
   * operation.
   */
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
   * Applies the operation at the highest level of the operands; operands of lower levels are
   * constants there.
   */
  Num apply(Num... x) {
    Num.@Nullable Derived top = null;
    for (Num n : x) {
      if (n instanceof Num.Derived d && (top == null || d.level() > top.level())) {
        top = d;
      }
    }
    return switch (top) {
      case null -> new Num.Const(bits(x));
      case Num.Dual d -> Num.Dual.apply(this, x, d);
      case OperationTape.Node n -> n.tape.apply(this, x);
    };
  }

  private long bits(Num[] x) {
    long a = x[0].bits();
    return function.apply(a, x.length > 1 ? x[1].bits() : a, x.length > 2 ? x[2].bits() : a);
  }
}
