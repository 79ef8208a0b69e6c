package futharkc.backend.interpreter;

import futharkc.core.ir.BinOp;
import futharkc.core.ir.ConvOp;
import futharkc.core.ir.PrimFun;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.UnOp;

/**
 * The partial derivatives of scalar operations, as listed in {@code docs/guide/derivatives.md}. The
 * interpreter does not share this table with the differentiation pass, since it is the reference in
 * tests of that pass.
 */
final class Partials {
  private final Num[] x;
  private final Num y;
  private final NumArithmetic arithmetic;

  private Partials(Num[] x, Num y, PrimType type) {
    this.x = x;
    this.y = y;
    this.arithmetic = new NumArithmetic(type);
  }

  /**
   * Returns the derivative of an operation with respect to operand {@code i}.
   *
   * @param x the operands
   * @param y the result
   */
  static Partial of(Operation op, int i, Num[] x, Num y) {
    return switch (op.form()) {
      case Operation.Form.Binary f -> new Partials(x, y, f.op().type()).binary(f.op(), i);
      case Operation.Form.Unary f -> new Partials(x, y, f.op().type()).unary(f.op());
      case Operation.Form.Compare f -> Partial.ZERO;
      case Operation.Form.Convert f -> convert(f.op());
      case Operation.Form.Call f -> new Partials(x, y, f.fun().type()).call(f.fun(), i);
      case Operation.Form.Polygamma f ->
          new Partials(x, y, f.type()).times(polygamma(f.order() + 1, f.type(), x[0]));
    };
  }

  private static Num polygamma(int order, PrimType t, Num x) {
    return Operation.polygamma(order, t).apply(x);
  }

  private Partial times(Num factor) {
    return Partial.of(v -> arithmetic.mul(factor, v));
  }

  private Partial over(Num divisor) {
    return Partial.of(v -> arithmetic.div(v, divisor));
  }

  private Partial negated() {
    return Partial.of(arithmetic::neg);
  }

  private Num constant(double v) {
    return arithmetic.constant(v);
  }

  private Num mul(Num a, Num b) {
    return arithmetic.mul(a, b);
  }

  private Num div(Num a, Num b) {
    return arithmetic.div(a, b);
  }

  private Num neg(Num a) {
    return arithmetic.neg(a);
  }

  private Num binary(BinOp.Kind kind, Num a, Num b) {
    return arithmetic.binary(kind, a, b);
  }

  private Num call(PrimFun.Kind kind, Num... a) {
    return arithmetic.call(kind, a);
  }

  private Partial binary(BinOp op, int i) {
    return switch (op.kind()) {
      case ADD, FADD -> Partial.ONE;
      case SUB, FSUB -> i == 0 ? Partial.ONE : negated();
      case MUL, FMUL, LOG_AND -> times(x[1 - i]);
      case LOG_OR -> i == 0 ? Partial.ONE : Partial.ZERO;
      case FDIV -> i == 0 ? over(x[1]) : times(neg(div(y, x[1])));
      case SDIV, SDIV_UP, SQUOT -> quotient(BinOp.Kind.SQUOT, i);
      case UDIV, UDIV_UP -> quotient(BinOp.Kind.UDIV, i);
      case FMOD -> i == 0 ? Partial.ONE : times(neg(wholeQuotient()));
      case SREM -> remainder(BinOp.Kind.SQUOT, i);
      case SMOD -> remainder(BinOp.Kind.SDIV, i);
      case UMOD -> remainder(BinOp.Kind.UDIV, i);
      case SMIN, UMIN, FMIN, SMAX, UMAX, FMAX -> extremum(op, i);
      case SHL -> i == 0 ? Partial.of(v -> binary(BinOp.Kind.SHL, v, x[1])) : Partial.ZERO;
      case LSHR, ASHR -> i == 0 && x[1].bits() == 0 ? Partial.ONE : Partial.ZERO;
      case AND, OR, XOR -> Partial.ZERO;
      case POW -> i == 0 ? intPower() : Partial.ZERO;
      case FPOW -> i == 0 ? powerOfBase() : powerOfExponent();
    };
  }

  private Partial quotient(BinOp.Kind quot, int i) {
    if (i == 0) {
      return times(binary(quot, constant(1), x[1]));
    }
    return times(neg(binary(quot, binary(quot, x[0], x[1]), x[1])));
  }

  private Partial remainder(BinOp.Kind quot, int i) {
    return i == 0 ? Partial.ONE : times(neg(binary(quot, x[0], x[1])));
  }

  /** Returns the integer part of the quotient, recovered from the remainder. */
  private Num wholeQuotient() {
    return call(PrimFun.Kind.ROUND, div(arithmetic.sub(x[0], y), x[1]));
  }

  /**
   * Returns the derivative of a minimum or maximum. If the operands are equal, the result depends
   * on the first; if one is NaN, it depends on neither.
   */
  private Partial extremum(BinOp op, int i) {
    if (op.type().isFloat()) {
      double a = arithmetic.value(x[0]);
      double b = arithmetic.value(x[1]);
      if (Double.isNaN(a) || Double.isNaN(b)) {
        return Partial.ZERO;
      }
      boolean first = a == b || (op.kind() == BinOp.Kind.FMAX ? a > b : a < b);
      return first == (i == 0) ? Partial.ONE : Partial.ZERO;
    }
    boolean first = y.bits() == x[0].bits();
    return first == (i == 0) ? Partial.ONE : Partial.ZERO;
  }

  private Partial intPower() {
    if (x[1].bits() == 0) {
      return Partial.ZERO;
    }
    Num less = arithmetic.sub(x[1], constant(1));
    return times(mul(x[1], binary(BinOp.Kind.POW, x[0], less)));
  }

  private Partial powerOfBase() {
    if (arithmetic.value(x[0]) == 0 && arithmetic.value(x[1]) < 1) {
      return Partial.ZERO;
    }
    Num less = arithmetic.sub(x[1], constant(1));
    return times(mul(x[1], binary(BinOp.Kind.FPOW, x[0], less)));
  }

  private Partial powerOfExponent() {
    if (arithmetic.value(x[0]) <= 0) {
      return Partial.ZERO;
    }
    return times(mul(y, call(PrimFun.Kind.LOG, x[0])));
  }

  private Partial unary(UnOp op) {
    return switch (op.kind()) {
      case NEG -> negated();
      case NOT -> op.type() == PrimType.BOOL ? times(x[0]) : negated();
      case ABS -> {
        UnOp.Kind sign = op.type().isFloat() ? UnOp.Kind.FSIGNUM : UnOp.Kind.SSIGNUM;
        yield times(Operation.of(new UnOp(sign, op.type())).apply(x[0]));
      }
      case SSIGNUM, USIGNUM, FSIGNUM -> Partial.ZERO;
    };
  }

  private static Partial convert(ConvOp op) {
    return between(Operation.of(op), Operation.of(converse(op)));
  }

  private static Partial between(Operation there, Operation back) {
    return new Partial(there::apply, back::apply);
  }

  private static ConvOp converse(ConvOp op) {
    ConvOp.Kind kind =
        switch (op.kind()) {
          case ZEXT -> ConvOp.Kind.ZEXT;
          case SEXT -> ConvOp.Kind.SEXT;
          case FPCONV -> ConvOp.Kind.FPCONV;
          case FPTOUI -> ConvOp.Kind.UITOFP;
          case FPTOSI -> ConvOp.Kind.SITOFP;
          case UITOFP -> ConvOp.Kind.FPTOUI;
          case SITOFP -> ConvOp.Kind.FPTOSI;
          case BTOI -> ConvOp.Kind.ITOB;
          case ITOB -> ConvOp.Kind.BTOI;
          case BTOF -> ConvOp.Kind.FTOB;
          case FTOB -> ConvOp.Kind.BTOF;
        };
    return new ConvOp(kind, op.to(), op.from());
  }

  private Partial call(PrimFun f, int i) {
    return switch (f.kind()) {
      case SQRT -> over(mul(constant(2), y));
      case RSQRT -> times(neg(div(y, mul(constant(2), x[0]))));
      case CBRT -> over(mul(constant(3), mul(y, y)));
      case EXP -> times(y);
      case LOG -> over(x[0]);
      case LOG2 -> over(mul(x[0], constant(Math.log(2))));
      case LOG10 -> over(mul(x[0], constant(Math.log(10))));
      case LOG1P -> over(onePlus(x[0]));
      case SIN -> times(call(PrimFun.Kind.COS, x[0]));
      case COS -> times(neg(call(PrimFun.Kind.SIN, x[0])));
      case TAN -> times(onePlus(mul(y, y)));
      case ASIN -> over(complement());
      case ACOS -> over(neg(complement()));
      case ATAN -> over(onePlus(mul(x[0], x[0])));
      case SINH -> times(call(PrimFun.Kind.COSH, x[0]));
      case COSH -> times(call(PrimFun.Kind.SINH, x[0]));
      case TANH -> times(mul(onePlus(y), oneMinus(y)));
      case ASINH -> over(call(PrimFun.Kind.HYPOT, constant(1), x[0]));
      case ACOSH ->
          over(
              mul(
                  call(PrimFun.Kind.SQRT, arithmetic.sub(x[0], constant(1))),
                  call(PrimFun.Kind.SQRT, onePlus(x[0]))));
      case ATANH -> over(mul(onePlus(x[0]), oneMinus(x[0])));
      case SINPI -> times(mul(pi(), call(PrimFun.Kind.COSPI, x[0])));
      case COSPI -> times(neg(mul(pi(), call(PrimFun.Kind.SINPI, x[0]))));
      case TANPI -> times(mul(pi(), onePlus(mul(y, y))));
      case ASINPI -> over(mul(pi(), complement()));
      case ACOSPI -> over(neg(mul(pi(), complement())));
      case ATANPI -> over(mul(pi(), onePlus(mul(x[0], x[0]))));
      case ATAN2 -> times(angle(i));
      case ATAN2PI -> times(div(angle(i), pi()));
      case HYPOT -> times(div(x[i], y));
      case GAMMA -> times(mul(y, polygamma(0, f.type(), x[0])));
      case LGAMMA -> times(polygamma(0, f.type(), x[0]));
      case ERF -> times(bell());
      case ERFC -> times(neg(bell()));
      case CEIL, FLOOR, ROUND, ISNAN, ISINF, POPC, CLZ, CTZ -> Partial.ZERO;
      case NEXTAFTER -> i == 0 ? Partial.ONE : Partial.ZERO;
      case LDEXP -> i == 0 ? Partial.of(v -> call(PrimFun.Kind.LDEXP, v, x[1])) : Partial.ZERO;
      case COPYSIGN -> i == 1 ? Partial.ZERO : sign(x[0]) == sign(x[1]) ? Partial.ONE : negated();
      case LERP ->
          switch (i) {
            case 0 -> times(oneMinus(x[2]));
            case 1 -> times(x[2]);
            default -> times(arithmetic.sub(x[1], x[0]));
          };
      case MAD, FMA, SMAD_HI, UMAD_HI -> i == 2 ? Partial.ONE : times(x[1 - i]);
      case SMUL_HI, UMUL_HI -> times(x[1 - i]);
      case TO_BITS, FROM_BITS ->
          between(
              Operation.of(f),
              Operation.of(
                  new PrimFun(
                      f.kind() == PrimFun.Kind.TO_BITS
                          ? PrimFun.Kind.FROM_BITS
                          : PrimFun.Kind.TO_BITS,
                      f.type())));
    };
  }

  private Num pi() {
    return constant(Math.PI);
  }

  private Num onePlus(Num a) {
    return arithmetic.add(constant(1), a);
  }

  private Num oneMinus(Num a) {
    return arithmetic.sub(constant(1), a);
  }

  /** Returns {@code sqrt(1 - x*x)}, the cosine of the arc sine of the operand. */
  private Num complement() {
    return call(PrimFun.Kind.SQRT, mul(onePlus(x[0]), oneMinus(x[0])));
  }

  /** Returns the derivative of {@code atan2(a, b)} with respect to operand {@code i}. */
  private Num angle(int i) {
    Num length = call(PrimFun.Kind.HYPOT, x[0], x[1]);
    Num other = div(div(x[1 - i], length), length);
    return i == 0 ? other : neg(other);
  }

  private Num bell() {
    return mul(constant(2 / Math.sqrt(Math.PI)), call(PrimFun.Kind.EXP, neg(mul(x[0], x[0]))));
  }

  private boolean sign(Num a) {
    return a.bits() < 0;
  }
}
