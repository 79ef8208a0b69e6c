package futharkc.pass.differentiation;

import static futharkc.core.ir.build.Arithmetic.binary;
import static futharkc.core.ir.build.Arithmetic.call;
import static futharkc.core.ir.build.Arithmetic.compare;
import static futharkc.core.ir.build.Arithmetic.minus;
import static futharkc.core.ir.build.Arithmetic.negate;
import static futharkc.core.ir.build.Arithmetic.number;
import static futharkc.core.ir.build.Arithmetic.one;
import static futharkc.core.ir.build.Arithmetic.over;
import static futharkc.core.ir.build.Arithmetic.plus;
import static futharkc.core.ir.build.Arithmetic.times;
import static futharkc.core.ir.build.Arithmetic.unary;
import static futharkc.core.ir.build.Arithmetic.zero;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.BinOp;
import futharkc.core.ir.CmpOp;
import futharkc.core.ir.ConvOp;
import futharkc.core.ir.PrimFun;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.PrimValue;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.UnOp;
import futharkc.core.ir.build.Arithmetic;
import futharkc.core.ir.build.Emitter;
import java.util.List;

/**
 * The partial derivatives of scalar operators and functions:
 *
 * <pre>
 * y = f(x1, .., xn)      forward:  y' = sum over k of  f_k * xk'      reverse:  xk_ += f_k * y_
 * </pre>
 *
 * <p>The rules are the usual ones (Griewank and Walther, Evaluating Derivatives, 2008, chapter 2),
 * expressed by the result where this is cheaper. Points without a derivative get a useful value:
 * for equal operands of a minimum or maximum, the first operand has the derivative one. A power at
 * the base zero has the derivative zero, unless it is linear there. Integers follow the rules of
 * real numbers where these are exact (sum, difference, product), else the rules of division towards
 * zero. Bit operations and comparisons have the derivative zero. A conversion is linear: it
 * converts tangents, and the inverse conversion converts cotangents.
 */
final class ScalarPartials {
  private ScalarPartials() {}

  /** A partial derivative, as an action on a tangent or cotangent. */
  sealed interface Partial {
    /** A multiplication by a value. */
    record Factor(SubExp value) implements Partial {}

    /** One if the condition holds, else zero. */
    record When(SubExp cond) implements Partial {}

    /** A linear function that changes the type, and its transpose. */
    record Linear(BasicOp.ConvOpExp to, BasicOp.ConvOpExp from) implements Partial {}

    /** A reinterpretation between a float and the integer with the same bits. */
    record Bits(PrimFun to, PrimFun from) implements Partial {}
  }

  /** Returns the operands of a scalar operation; an empty list for any other operation. */
  static List<SubExp> operands(BasicOp op) {
    return switch (op) {
      case BasicOp.BinOpExp x -> List.of(x.left(), x.right());
      case BasicOp.UnOpExp x -> List.of(x.operand());
      case BasicOp.ConvOpExp x -> List.of(x.operand());
      case BasicOp.PrimFunExp x -> x.args();
      default -> List.of();
    };
  }

  /** Tests whether all partial derivatives of an operation are zero everywhere. */
  static boolean isConstant(BasicOp op) {
    return switch (op) {
      case BasicOp.BinOpExp x ->
          switch (x.op().kind()) {
            case AND, OR, XOR -> true;
            default -> false;
          };
      case BasicOp.UnOpExp x ->
          switch (x.op().kind()) {
            case SSIGNUM, USIGNUM, FSIGNUM -> true;
            case NEG, NOT, ABS -> false;
          };
      case BasicOp.PrimFunExp x ->
          switch (x.fun().kind()) {
            case CEIL, FLOOR, ROUND, ISNAN, ISINF, POPC, CLZ, CTZ -> true;
            default -> false;
          };
      default -> false;
    };
  }

  /** Returns the tangent of the result for an operand's tangent. */
  static SubExp forward(Emitter e, Partial p, SubExp tangent) {
    return apply(e, p, tangent, true);
  }

  /** Returns the contribution to an operand's adjoint for the adjoint of the result. */
  static SubExp backward(Emitter e, Partial p, SubExp adjoint) {
    return apply(e, p, adjoint, false);
  }

  private static SubExp apply(Emitter e, Partial p, SubExp x, boolean forward) {
    PrimType t = e.type(x).elemPrim();
    return switch (p) {
      case Partial.Factor f -> times(e, t, f.value(), x);
      case Partial.When w -> Arithmetic.isZero(x) ? x : e.select(w.cond(), x, zero(t));
      case Partial.Linear l -> Arithmetic.convert(e, forward ? l.to().op() : l.from().op(), x);
      case Partial.Bits b -> {
        PrimFun f = forward ? b.to() : b.from();
        yield call(e, f.kind(), f.type(), x);
      }
    };
  }

  /**
   * Returns the partial derivative with respect to one operand.
   *
   * @param e the emitter of its code
   * @param op the operation
   * @param k the position of the operand
   * @param result the result of the operation
   */
  static Partial of(Emitter e, BasicOp op, int k, SubExp result) {
    return switch (op) {
      case BasicOp.BinOpExp x -> binOp(e, x, k, result);
      case BasicOp.UnOpExp x -> new Partial.Factor(unOp(e, x.op(), x.operand()));
      case BasicOp.ConvOpExp x -> conversion(x.op());
      case BasicOp.PrimFunExp x -> new Functions(e, x.fun(), x.args(), result).partial(k);
      default -> throw new IllegalArgumentException("not a scalar operation: " + op);
    };
  }

  private static Partial factor(SubExp value) {
    return new Partial.Factor(value);
  }

  private static Partial binOp(Emitter e, BasicOp.BinOpExp op, int k, SubExp result) {
    PrimType t = op.op().type();
    SubExp x = op.left();
    SubExp y = op.right();
    boolean first = k == 0;
    return switch (op.op().kind()) {
      case ADD, FADD -> factor(one(t));
      case SUB, FSUB -> factor(first ? one(t) : number(t, -1));
      case MUL, FMUL, LOG_AND -> factor(first ? y : x);
      case LOG_OR -> factor(SubExp.of(PrimValue.of(first)));
      case FDIV -> {
        SubExp inverse = over(e, t, one(t), y);
        yield factor(first ? inverse : negate(e, t, times(e, t, result, inverse)));
      }
      case UDIV, UDIV_UP, SDIV, SDIV_UP, SQUOT -> {
        BinOp quotient = new BinOp(isUnsigned(op.op()) ? BinOp.Kind.UDIV : BinOp.Kind.SQUOT, t);
        yield first
            ? factor(binary(e, quotient, one(t), y))
            : factor(negate(e, t, binary(e, quotient, binary(e, quotient, x, y), y)));
      }
      case FMOD -> {
        if (first) {
          yield factor(one(t));
        }
        SubExp whole = over(e, t, minus(e, t, x, result), y);
        yield factor(negate(e, t, whole));
      }
      case UMOD, SMOD, SREM -> {
        if (first) {
          yield factor(one(t));
        }
        BinOp.Kind whole =
            switch (op.op().kind()) {
              case UMOD -> BinOp.Kind.UDIV;
              case SMOD -> BinOp.Kind.SDIV;
              default -> BinOp.Kind.SQUOT;
            };
        yield factor(negate(e, t, binary(e, whole, t, x, y)));
      }
      case SMAX -> ordered(e, CmpOp.Kind.SLE, CmpOp.Kind.SLT, t, first, y, x);
      case UMAX -> ordered(e, CmpOp.Kind.ULE, CmpOp.Kind.ULT, t, first, y, x);
      case FMAX -> ordered(e, CmpOp.Kind.FLE, CmpOp.Kind.FLT, t, first, y, x);
      case SMIN -> ordered(e, CmpOp.Kind.SLE, CmpOp.Kind.SLT, t, first, x, y);
      case UMIN -> ordered(e, CmpOp.Kind.ULE, CmpOp.Kind.ULT, t, first, x, y);
      case FMIN -> ordered(e, CmpOp.Kind.FLE, CmpOp.Kind.FLT, t, first, x, y);
      case SHL -> factor(first ? binary(e, BinOp.Kind.SHL, t, one(t), y) : zero(t));
      case LSHR, ASHR -> factor(first ? binary(e, BinOp.Kind.LSHR, t, one(t), y) : zero(t));
      case AND, OR, XOR -> factor(zero(t));
      case POW -> factor(first ? intPower(e, t, x, y) : zero(t));
      case FPOW -> factor(first ? base(e, t, x, y) : exponent(e, t, x, result));
    };
  }

  private static boolean isUnsigned(BinOp op) {
    return op.kind() == BinOp.Kind.UDIV || op.kind() == BinOp.Kind.UDIV_UP;
  }

  /**
   * Returns the partial derivative of a minimum or maximum: one for the selected operand, else
   * zero. Of equal operands the first is selected. If an operand is NaN, both derivatives are zero.
   */
  private static Partial ordered(
      Emitter e,
      CmpOp.Kind orEqual,
      CmpOp.Kind strictly,
      PrimType t,
      boolean first,
      SubExp a,
      SubExp b) {
    return new Partial.When(first ? compare(e, orEqual, t, a, b) : compare(e, strictly, t, b, a));
  }

  /** Returns {@code y * x ** (y - 1)}, and 0 if y is 0. */
  private static SubExp intPower(Emitter e, PrimType t, SubExp x, SubExp y) {
    SubExp less = binary(e, BinOp.Kind.SMAX, t, minus(e, t, y, one(t)), zero(t));
    return times(e, t, y, binary(e, BinOp.Kind.POW, t, x, less));
  }

  /** Returns {@code y * x ** (y - 1)}, and 0 if x = 0 and y < 1. */
  private static SubExp base(Emitter e, PrimType t, SubExp x, SubExp y) {
    SubExp power = times(e, t, y, binary(e, BinOp.Kind.FPOW, t, x, minus(e, t, y, one(t))));
    if (y instanceof SubExp.Const c && c.value().asDouble() >= 1) {
      return power;
    }
    SubExp atZero = compare(e, CmpOp.Kind.EQ, t, x, zero(t));
    SubExp steep = compare(e, CmpOp.Kind.FLT, t, y, one(t));
    return e.select(times(e, PrimType.BOOL, atZero, steep), zero(t), power);
  }

  /** Returns {@code x ** y * log x}, and 0 if x is not positive. */
  private static SubExp exponent(Emitter e, PrimType t, SubExp x, SubExp result) {
    SubExp positive = compare(e, CmpOp.Kind.FLT, t, zero(t), x);
    return e.select(positive, times(e, t, result, call(e, PrimFun.Kind.LOG, t, x)), zero(t));
  }

  private static SubExp unOp(Emitter e, UnOp op, SubExp x) {
    PrimType t = op.type();
    return switch (op.kind()) {
      case NEG -> number(t, -1);
      case NOT -> t == PrimType.BOOL ? x : number(t, -1);
      case ABS -> unary(e, t.isFloat() ? UnOp.Kind.FSIGNUM : UnOp.Kind.SSIGNUM, t, x);
      case SSIGNUM, USIGNUM, FSIGNUM -> zero(t);
    };
  }

  private static Partial conversion(ConvOp op) {
    ConvOp.Kind converse =
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
    SubExp any = SubExp.TRUE;
    return new Partial.Linear(
        new BasicOp.ConvOpExp(op, any),
        new BasicOp.ConvOpExp(new ConvOp(converse, op.to(), op.from()), any));
  }

  /** The partial derivatives of named functions. */
  private static final class Functions {
    private final Emitter e;
    private final PrimFun fun;
    private final PrimType t;
    private final List<SubExp> args;
    private final SubExp x;
    private final SubExp y;

    Functions(Emitter e, PrimFun fun, List<SubExp> args, SubExp result) {
      this.e = e;
      this.fun = fun;
      this.t = fun.type();
      this.args = args;
      this.x = args.get(0);
      this.y = result;
    }

    Partial partial(int k) {
      return switch (fun.kind()) {
        case TO_BITS -> bits(PrimFun.Kind.TO_BITS, PrimFun.Kind.FROM_BITS);
        case FROM_BITS -> bits(PrimFun.Kind.FROM_BITS, PrimFun.Kind.TO_BITS);
        default -> factor(value(k));
      };
    }

    private Partial bits(PrimFun.Kind to, PrimFun.Kind from) {
      return new Partial.Bits(new PrimFun(to, t), new PrimFun(from, t));
    }

    private SubExp n(double value) {
      return number(t, value);
    }

    private SubExp mul(SubExp a, SubExp b) {
      return times(e, t, a, b);
    }

    private SubExp add(SubExp a, SubExp b) {
      return plus(e, t, a, b);
    }

    private SubExp sub(SubExp a, SubExp b) {
      return minus(e, t, a, b);
    }

    private SubExp div(SubExp a, SubExp b) {
      return over(e, t, a, b);
    }

    private SubExp inverse(SubExp a) {
      return div(one(t), a);
    }

    private SubExp root(SubExp a) {
      return call(e, PrimFun.Kind.SQRT, t, a);
    }

    /** Returns 1 - a², with high precision near a² = 1. */
    private SubExp aroundOne(SubExp a) {
      return mul(add(one(t), a), sub(one(t), a));
    }

    private SubExp square(SubExp a) {
      return mul(a, a);
    }

    private SubExp value(int k) {
      SubExp one = fun.type().isFloat() || fun.type().isInt() ? one(t) : SubExp.TRUE;
      return switch (fun.kind()) {
        case SQRT -> div(n(0.5), y);
        case RSQRT -> mul(n(-0.5), div(y, x));
        case CBRT -> inverse(mul(n(3), square(y)));
        case EXP -> y;
        case LOG -> inverse(x);
        case LOG2 -> inverse(mul(x, n(Math.log(2))));
        case LOG10 -> inverse(mul(x, n(Math.log(10))));
        case LOG1P -> inverse(add(one, x));
        case SIN -> call(e, PrimFun.Kind.COS, t, x);
        case COS -> negate(e, t, call(e, PrimFun.Kind.SIN, t, x));
        case TAN -> add(one, square(y));
        case ASIN -> inverse(root(aroundOne(x)));
        case ACOS -> div(n(-1), root(aroundOne(x)));
        case ATAN -> inverse(add(one, square(x)));
        case SINH -> call(e, PrimFun.Kind.COSH, t, x);
        case COSH -> call(e, PrimFun.Kind.SINH, t, x);
        case TANH -> aroundOne(y);
        case ASINH -> inverse(root(add(square(x), one)));
        case ACOSH -> inverse(mul(root(sub(x, one)), root(add(x, one))));
        case ATANH -> inverse(aroundOne(x));
        case SINPI -> mul(n(Math.PI), call(e, PrimFun.Kind.COSPI, t, x));
        case COSPI -> mul(n(-Math.PI), call(e, PrimFun.Kind.SINPI, t, x));
        case TANPI -> mul(n(Math.PI), add(one, square(y)));
        case ASINPI -> inverse(mul(n(Math.PI), root(aroundOne(x))));
        case ACOSPI -> inverse(mul(n(-Math.PI), root(aroundOne(x))));
        case ATANPI -> inverse(mul(n(Math.PI), add(one, square(x))));
        case ATAN2 -> angle(k, one);
        case ATAN2PI -> angle(k, n(Math.PI));
        case HYPOT -> div(args.get(k), y);
        case GAMMA -> mul(y, Digamma.of(e, t, x));
        case LGAMMA -> Digamma.of(e, t, x);
        case ERF -> mul(n(2 / Math.sqrt(Math.PI)), bell());
        case ERFC -> mul(n(-2 / Math.sqrt(Math.PI)), bell());
        case CEIL, FLOOR, ROUND, ISNAN, ISINF, POPC, CLZ, CTZ -> zero(fun.result());
        case NEXTAFTER -> k == 0 ? one : zero(t);
        case LDEXP -> k == 0 ? call(e, PrimFun.Kind.LDEXP, t, one, args.get(1)) : zero(t);
        case COPYSIGN ->
            k == 0
                ? mul(
                    call(e, PrimFun.Kind.COPYSIGN, t, one, x),
                    call(e, PrimFun.Kind.COPYSIGN, t, one, args.get(1)))
                : zero(t);
        case LERP -> lerp(k);
        case MAD, FMA, SMAD_HI, UMAD_HI -> k == 2 ? one : args.get(1 - k);
        case SMUL_HI, UMUL_HI -> args.get(1 - k);
        case TO_BITS, FROM_BITS -> throw new IllegalStateException("not a factor: " + fun);
      };
    }

    /**
     * Returns the derivative of {@code atan2(a, b) / unit}: b / (a² + b²) and -a / (a² + b²),
     * divided by the unit.
     */
    private SubExp angle(int k, SubExp unit) {
      SubExp radius = mul(unit, add(square(args.get(0)), square(args.get(1))));
      return k == 0 ? div(args.get(1), radius) : div(negate(e, t, args.get(0)), radius);
    }

    private SubExp bell() {
      return call(e, PrimFun.Kind.EXP, t, negate(e, t, square(x)));
    }

    /** Returns the derivative of {@code a + (b - a) * t}. */
    private SubExp lerp(int k) {
      return switch (k) {
        case 0 -> sub(one(t), args.get(2));
        case 1 -> args.get(2);
        default -> sub(args.get(1), args.get(0));
      };
    }
  }
}
