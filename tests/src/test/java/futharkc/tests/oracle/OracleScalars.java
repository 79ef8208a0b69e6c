package futharkc.tests.oracle;

import futharkc.core.language.ScalarOp;
import futharkc.core.language.syntax.PrimType;
import futharkc.tests.oracle.Val.Prim;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;

/**
 * Operations on scalars: unbounded integers that are truncated to their type at the end, and floats
 * as doubles.
 */
final class OracleScalars {
  private static final BigInteger TWO = BigInteger.TWO;

  private OracleScalars() {}

  /** Returns the value of an integer or boolean. */
  static BigInteger big(Prim p) {
    BigInteger x = BigInteger.valueOf(p.bits());
    return p.type().isUnsigned() && x.signum() < 0 ? x.add(TWO.pow(p.type().bits())) : x;
  }

  /** Returns the integer of a type that is congruent to a number. */
  static Prim integer(PrimType t, BigInteger x) {
    long low = x.longValue();
    return new Prim(
        t,
        switch (t.bits()) {
          case 8 -> (byte) low;
          case 16 -> (short) low;
          case 32 -> (int) low;
          default -> low;
        });
  }

  static double real(Prim p) {
    return Double.longBitsToDouble(p.bits());
  }

  /** Returns the float of a type that is closest to a number. */
  static Prim real(PrimType t, double x) {
    double rounded =
        switch (t) {
          case F16 -> Float.float16ToFloat(Float.floatToFloat16((float) x));
          case F32 -> (float) x;
          default -> x;
        };
    return new Prim(t, Double.doubleToRawLongBits(rounded));
  }

  static boolean truth(Val v) {
    return ((Prim) v).bits() != 0;
  }

  static long number(Val v) {
    return big((Prim) v).longValueExact();
  }

  static Prim convert(PrimType to, Prim x) {
    PrimType from = x.type();
    if (to == PrimType.BOOL) {
      return new Prim(to, (from.isFloat() ? real(x) != 0 : x.bits() != 0) ? 1 : 0);
    }
    if (from.isFloat()) {
      double value = real(x);
      if (to.isFloat()) {
        return real(to, value);
      }
      if (Double.isNaN(value) || Double.isInfinite(value)) {
        return integer(to, BigInteger.ZERO);
      }
      return integer(to, new BigDecimal(value).toBigInteger());
    }
    BigInteger value = big(x);
    if (to.isFloat()) {
      return to == PrimType.F64 ? real(to, value.doubleValue()) : real(to, value.floatValue());
    }
    // The conversion extends with zeros unless both types are signed.
    boolean signed = from.isSigned() && to.isSigned();
    return integer(to, signed || from == PrimType.BOOL ? value : value.mod(TWO.pow(from.bits())));
  }

  static Val apply(ScalarOp op, PrimType t, List<Val> args) {
    Prim[] a = args.toArray(new Prim[0]);
    return switch (op) {
      case EQ, NEQ, LT, LE, GT, GE -> Val.bool(compare(op, t, a[0], a[1]));
      case LOGAND -> Val.bool(truth(a[0]) && truth(a[1]));
      case LOGOR -> Val.bool(truth(a[0]) || truth(a[1]));
      case FROM_BITS -> fromBits(t, a[0]);
      default -> t.isFloat() ? floating(op, t, a) : integral(op, t, a);
    };
  }

  private static Prim fromBits(PrimType t, Prim bits) {
    return switch (t) {
      case F16 -> real(t, Float.float16ToFloat((short) bits.bits()));
      case F32 -> real(t, Float.intBitsToFloat((int) bits.bits()));
      default -> new Prim(t, bits.bits());
    };
  }

  private static boolean compare(ScalarOp op, PrimType t, Prim a, Prim b) {
    if (t.isFloat()) {
      double x = real(a);
      double y = real(b);
      return switch (op) {
        case EQ -> x == y;
        case NEQ -> x != y;
        case LT -> x < y;
        case LE -> x <= y;
        case GT -> x > y;
        default -> x >= y;
      };
    }
    int order = big(a).compareTo(big(b));
    return switch (op) {
      case EQ -> order == 0;
      case NEQ -> order != 0;
      case LT -> order < 0;
      case LE -> order <= 0;
      case GT -> order > 0;
      default -> order >= 0;
    };
  }

  private static Val integral(ScalarOp op, PrimType t, Prim[] args) {
    int bits = t.bits();
    BigInteger modulus = TWO.pow(bits);
    BigInteger lowest = t.isSigned() ? TWO.pow(bits - 1).negate() : BigInteger.ZERO;
    BigInteger x = args.length > 0 ? big(args[0]) : BigInteger.ZERO;
    BigInteger y = args.length > 1 ? big(args[1]) : BigInteger.ZERO;
    BigInteger ux = x.mod(modulus);
    boolean divides =
        op == ScalarOp.DIV || op == ScalarOp.MOD || op == ScalarOp.QUOT || op == ScalarOp.REM;
    if (divides && y.signum() == 0) {
      throw new ProgramFailureException("division by zero");
    }
    boolean wide = y.signum() < 0 || y.compareTo(BigInteger.valueOf(bits)) >= 0;
    return switch (op) {
      case POPC -> integer(PrimType.I32, BigInteger.valueOf(ux.bitCount()));
      case CLZ -> integer(PrimType.I32, BigInteger.valueOf(bits - ux.bitLength()));
      case CTZ ->
          integer(PrimType.I32, BigInteger.valueOf(ux.signum() == 0 ? bits : ux.getLowestSetBit()));
      default ->
          integer(
              t,
              switch (op) {
                case ADD -> x.add(y);
                case SUB -> x.subtract(y);
                case MUL -> x.multiply(y);
                case DIV -> floorDivide(x, y);
                case MOD -> x.subtract(floorDivide(x, y).multiply(y));
                case QUOT -> x.divide(y);
                case REM -> x.remainder(y);
                case POW -> x.modPow(y.mod(modulus), modulus);
                case MIN -> x.min(y);
                case MAX -> x.max(y);
                case NEG -> x.negate();
                case ABS -> x.abs();
                case SGN -> BigInteger.valueOf(x.signum());
                case HIGHEST -> lowest.add(modulus).subtract(BigInteger.ONE);
                case LOWEST -> lowest;
                case AND -> x.and(y);
                case OR -> x.or(y);
                case XOR -> x.xor(y);
                case NOT -> x.not();
                case SHL -> wide ? BigInteger.ZERO : x.shiftLeft(y.intValueExact());
                case SHR -> x.shiftRight(wide ? bits : y.intValueExact());
                case LSHR -> wide ? BigInteger.ZERO : ux.shiftRight(y.intValueExact());
                case MUL_HI -> x.multiply(y).shiftRight(bits);
                default -> throw new UnsupportedException(op + " of integers");
              });
    };
  }

  private static BigInteger floorDivide(BigInteger x, BigInteger y) {
    BigInteger[] both = x.divideAndRemainder(y);
    boolean below = both[1].signum() != 0 && both[1].signum() != y.signum();
    return below ? both[0].subtract(BigInteger.ONE) : both[0];
  }

  private static Val floating(ScalarOp op, PrimType t, Prim[] args) {
    double x = args.length > 0 ? real(args[0]) : 0;
    double y = args.length < 2 ? 0 : args[1].type().isFloat() ? real(args[1]) : args[1].bits();
    return switch (op) {
      case ISINF -> Val.bool(Double.isInfinite(x));
      case ISNAN -> Val.bool(Double.isNaN(x));
      case TO_BITS ->
          switch (t) {
            case F16 -> new Prim(PrimType.U16, Float.floatToFloat16((float) x));
            case F32 -> new Prim(PrimType.U32, Float.floatToIntBits((float) x));
            default -> new Prim(PrimType.U64, Double.doubleToLongBits(x));
          };
      default ->
          real(
              t,
              switch (op) {
                case ADD -> x + y;
                case SUB -> x - y;
                case MUL -> x * y;
                case DIV -> x / y;
                case MOD -> x % y;
                case POW -> x == 1 ? 1 : Math.pow(x, y);
                // A minimum may return either zero; the compiler returns the first operand.
                case MIN -> Double.isNaN(x) || y < x ? y : x;
                case MAX -> Double.isNaN(x) || y > x ? y : x;
                case NEG -> -x;
                case ABS -> Math.abs(x);
                case SGN -> Math.signum(x);
                case HIGHEST -> Double.POSITIVE_INFINITY;
                case LOWEST -> Double.NEGATIVE_INFINITY;
                case NAN -> Double.NaN;
                case SQRT -> Math.sqrt(x);
                case RSQRT -> 1 / Math.sqrt(x);
                case CBRT -> Math.cbrt(x);
                case HYPOT -> Math.hypot(x, y);
                case EXP -> Math.exp(x);
                case LOG -> Math.log(x);
                case LOG2 -> Math.log(x) / Math.log(2);
                case LOG10 -> Math.log10(x);
                case LOG1P -> Math.log1p(x);
                case SIN -> Math.sin(x);
                case COS -> Math.cos(x);
                case TAN -> Math.tan(x);
                case ASIN -> Math.asin(x);
                case ACOS -> Math.acos(x);
                case ATAN -> Math.atan(x);
                case ATAN2 -> Math.atan2(x, y);
                case SINH -> Math.sinh(x);
                case COSH -> Math.cosh(x);
                case TANH -> Math.tanh(x);
                case CEIL -> Math.ceil(x);
                case FLOOR -> Math.floor(x);
                case ROUND -> Math.rint(x);
                case COPYSIGN -> Math.copySign(x, y);
                case LDEXP -> Math.scalb(x, (int) y);
                default -> throw new UnsupportedException(op + " of floats");
              });
    };
  }
}
