package futharkc.core.ir;

import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/** Constant folding of scalar operators. */
public final class Folding {
  /** The largest exponent that is folded. Results of larger exponents are seldom exact. */
  private static final int MOST_FACTORS = 16;

  private Folding() {}

  /**
   * Returns the result of an operator on constants. The result is null if it is undefined (division
   * by zero, negative exponent) or if targets may round it differently.
   */
  public static @Nullable PrimValue binOp(BinOp op, PrimValue a, PrimValue b) {
    PrimType t = op.type();
    if (t == PrimType.BOOL) {
      return switch (op.kind()) {
        case LOG_AND, AND -> PrimValue.of(a.asBoolean() && b.asBoolean());
        case LOG_OR, OR -> PrimValue.of(a.asBoolean() || b.asBoolean());
        case XOR -> PrimValue.of(a.asBoolean() != b.asBoolean());
        default -> null;
      };
    }
    if (t.isFloat()) {
      return floatOp(op.kind(), t, a.asDouble(), b.asDouble());
    }
    Long v = intOp(op.kind(), t.bits(), a.asLong(), b.asLong());
    return v == null ? null : PrimValue.ofInt(t, v);
  }

  private static @Nullable PrimValue floatOp(BinOp.Kind kind, PrimType t, double a, double b) {
    // A double operation on f32 or f16 operands rounds to the same value as an operation in that
    // type.
    return switch (kind) {
      case FADD -> PrimValue.ofFloat(t, a + b);
      case FSUB -> PrimValue.ofFloat(t, a - b);
      case FMUL -> PrimValue.ofFloat(t, a * b);
      case FDIV -> PrimValue.ofFloat(t, a / b);
      case FPOW -> exactPower(t, a, b);
      default -> null;
    };
  }

  /** Returns a power if it is exact, otherwise null. Targets round inexact powers differently. */
  private static @Nullable PrimValue exactPower(PrimType t, double a, double b) {
    if (!Double.isFinite(a) || !(b >= 0 && b <= MOST_FACTORS) || b != Math.rint(b)) {
      return null;
    }
    if (a == 0 && b > 0) {
      return PrimValue.ofFloat(t, b % 2 == 0 ? 0.0 : a);
    }
    BigDecimal exact = new BigDecimal(a).pow((int) b);
    PrimValue rounded = PrimValue.ofFloat(t, exact.doubleValue());
    double r = rounded.asDouble();
    return Double.isFinite(r) && new BigDecimal(r).compareTo(exact) == 0 ? rounded : null;
  }

  private static @Nullable Long intOp(BinOp.Kind kind, int bits, long a, long b) {
    long ua = unsigned(a, bits);
    long ub = unsigned(b, bits);
    return switch (kind) {
      case ADD -> a + b;
      case SUB -> a - b;
      case MUL -> a * b;
      case SDIV -> b == 0 ? null : (Long) Math.floorDiv(a, b);
      case SDIV_UP -> b == 0 ? null : (Long) Math.ceilDiv(a, b);
      case SMOD -> b == 0 ? null : (Long) Math.floorMod(a, b);
      case SQUOT -> b == 0 ? null : (Long) (a / b);
      case SREM -> b == 0 ? null : (Long) (a % b);
      case UDIV -> b == 0 ? null : (Long) Long.divideUnsigned(ua, ub);
      case UMOD -> b == 0 ? null : (Long) Long.remainderUnsigned(ua, ub);
      case UDIV_UP -> null;
      case SMIN -> Math.min(a, b);
      case SMAX -> Math.max(a, b);
      case UMIN -> Long.compareUnsigned(ua, ub) <= 0 ? a : b;
      case UMAX -> Long.compareUnsigned(ua, ub) >= 0 ? a : b;
      case AND -> a & b;
      case OR -> a | b;
      case XOR -> a ^ b;
      case SHL -> b < 0 || b >= bits ? 0L : a << b;
      case LSHR -> b < 0 || b >= bits ? 0L : ua >>> b;
      case ASHR -> b < 0 || b >= bits ? (a < 0 ? -1L : 0L) : a >> b;
      case POW -> b < 0 ? null : (Long) power(a, b);
      default -> null;
    };
  }

  private static long power(long base, long exponent) {
    long result = 1;
    while (exponent > 0) {
      if ((exponent & 1) != 0) {
        result *= base;
      }
      base *= base;
      exponent >>= 1;
    }
    return result;
  }

  private static long unsigned(long v, int bits) {
    return bits == 64 ? v : v & ((1L << bits) - 1);
  }

  public static PrimValue cmpOp(CmpOp op, PrimValue a, PrimValue b) {
    int bits = op.type().bits();
    return PrimValue.of(
        switch (op.kind()) {
          case EQ -> op.type().isFloat() ? a.asDouble() == b.asDouble() : a.bits() == b.bits();
          case SLT -> a.asLong() < b.asLong();
          case SLE -> a.asLong() <= b.asLong();
          case ULT -> Long.compareUnsigned(unsigned(a.bits(), bits), unsigned(b.bits(), bits)) < 0;
          case ULE -> Long.compareUnsigned(unsigned(a.bits(), bits), unsigned(b.bits(), bits)) <= 0;
          case FLT -> a.asDouble() < b.asDouble();
          case FLE -> a.asDouble() <= b.asDouble();
          case LLT -> !a.asBoolean() && b.asBoolean();
          case LLE -> !a.asBoolean() || b.asBoolean();
        });
  }

  public static @Nullable PrimValue unOp(UnOp op, PrimValue a) {
    PrimType t = op.type();
    return switch (op.kind()) {
      case NEG ->
          t.isFloat() ? PrimValue.ofFloat(t, -a.asDouble()) : PrimValue.ofInt(t, -a.asLong());
      case NOT ->
          t == PrimType.BOOL ? PrimValue.of(!a.asBoolean()) : PrimValue.ofInt(t, ~a.asLong());
      case ABS ->
          t.isFloat()
              ? PrimValue.ofFloat(t, Math.abs(a.asDouble()))
              : PrimValue.ofInt(t, Math.abs(a.asLong()));
      case SSIGNUM -> PrimValue.ofInt(t, Long.signum(a.asLong()));
      case USIGNUM -> PrimValue.ofInt(t, a.asLong() == 0 ? 0 : 1);
      case FSIGNUM -> null;
    };
  }

  public static @Nullable PrimValue convOp(ConvOp op, PrimValue a) {
    PrimType to = op.to();
    int bits = op.from().bits();
    return switch (op.kind()) {
      case ZEXT -> PrimValue.ofInt(to, unsigned(a.asLong(), bits));
      case SEXT -> PrimValue.ofInt(to, a.asLong());
      case FPCONV -> PrimValue.ofFloat(to, a.asDouble());
      case SITOFP -> PrimValue.ofFloat(to, sintToFloat(to, a.asLong()));
      case UITOFP ->
          bits == 64 && a.asLong() < 0
              ? null
              : PrimValue.ofFloat(to, sintToFloat(to, unsigned(a.asLong(), bits)));
      case FPTOSI -> {
        double d = Math.abs(a.asDouble());
        yield d < Math.scalb(1.0, to.bits() - 1) ? PrimValue.ofInt(to, (long) a.asDouble()) : null;
      }
      case FPTOUI -> {
        double d = a.asDouble();
        yield d >= 0 && d < Math.scalb(1.0, Math.min(63, to.bits()))
            ? PrimValue.ofInt(to, (long) d)
            : null;
      }
      case BTOI -> PrimValue.ofInt(to, a.asBoolean() ? 1 : 0);
      case ITOB -> PrimValue.of(a.asLong() != 0);
      case BTOF -> PrimValue.ofFloat(to, a.asBoolean() ? 1 : 0);
      case FTOB -> PrimValue.of(a.asDouble() != 0);
    };
  }

  private static double sintToFloat(PrimType to, long v) {
    return to == PrimType.F64 ? (double) v : (float) v;
  }
}
