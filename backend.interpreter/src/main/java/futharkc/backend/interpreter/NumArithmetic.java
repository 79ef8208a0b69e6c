package futharkc.backend.interpreter;

import futharkc.core.ir.BinOp;
import futharkc.core.ir.PrimFun;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.PrimValue;
import futharkc.core.ir.UnOp;

/**
 * Arithmetic on numbers of one type. Integers wrap around; booleans are added by "or" and
 * multiplied by "and". If an operand has a derivative at some level, so has the result.
 */
record NumArithmetic(PrimType type) {
  private Num binary(BinOp.Kind ofInts, BinOp.Kind ofFloats, Num a, Num b) {
    BinOp.Kind kind = type.isFloat() ? ofFloats : ofInts;
    return Operation.of(new BinOp(kind, type)).apply(a, b);
  }

  /** Applies the operator of a kind. */
  Num binary(BinOp.Kind kind, Num a, Num b) {
    return Operation.of(new BinOp(kind, type)).apply(a, b);
  }

  /** Applies the scalar function of a kind. */
  Num call(PrimFun.Kind kind, Num... x) {
    return Operation.of(new PrimFun(kind, type)).apply(x);
  }

  Num add(Num a, Num b) {
    return binary(
        type == PrimType.BOOL ? BinOp.Kind.LOG_OR : BinOp.Kind.ADD, BinOp.Kind.FADD, a, b);
  }

  Num sub(Num a, Num b) {
    return binary(BinOp.Kind.SUB, BinOp.Kind.FSUB, a, b);
  }

  Num mul(Num a, Num b) {
    return binary(
        type == PrimType.BOOL ? BinOp.Kind.LOG_AND : BinOp.Kind.MUL, BinOp.Kind.FMUL, a, b);
  }

  /** Divides two floats. */
  Num div(Num a, Num b) {
    return binary(BinOp.Kind.FDIV, a, b);
  }

  Num neg(Num a) {
    return Operation.of(new UnOp(UnOp.Kind.NEG, type)).apply(a);
  }

  Num constant(double v) {
    PrimValue value = type.isFloat() ? PrimValue.ofFloat(type, v) : PrimValue.ofInt(type, (long) v);
    return new Num.Const(ScalarOps.bits(value));
  }

  /** Returns the value of a float. */
  double value(Num a) {
    return switch (type) {
      case F16 -> Float.float16ToFloat((short) a.bits());
      case F32 -> ScalarOps.f32(a.bits());
      default -> ScalarOps.f64(a.bits());
    };
  }
}
