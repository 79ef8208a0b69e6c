package futharkc.core.language.lower;

import futharkc.core.ir.BinOp;
import futharkc.core.ir.CmpOp;
import futharkc.core.ir.ConvOp;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.PrimValue;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.UnOp;
import org.jspecify.annotations.Nullable;

/**
 * The simplifications that pay off before there is a simplifier: constants, neutral elements. Null
 * means none applies.
 */
final class Fold {
  private Fold() {}

  private static @Nullable PrimValue constant(SubExp e) {
    return e instanceof SubExp.Const c ? c.value() : null;
  }

  static boolean isNonZero(SubExp e) {
    PrimValue v = constant(e);
    return v != null && !v.isZero();
  }

  static @Nullable SubExp binOp(BinOp.Kind kind, PrimType type, SubExp a, SubExp b) {
    PrimValue x = constant(a);
    PrimValue y = constant(b);
    if (type == PrimType.BOOL) return logical(kind, a, x, b, y);
    if (!type.isInt()) return null;
    if (x != null && y != null) {
      switch (kind) {
        case ADD:
          return integer(type, x.bits() + y.bits());
        case SUB:
          return integer(type, x.bits() - y.bits());
        case MUL:
          return integer(type, x.bits() * y.bits());
        case SMIN:
          return integer(type, Math.min(x.bits(), y.bits()));
        case SMAX:
          return integer(type, Math.max(x.bits(), y.bits()));
        case SDIV:
          return y.bits() == 0 ? null : integer(type, Math.floorDiv(x.bits(), y.bits()));
        case SMOD:
          return y.bits() == 0 ? null : integer(type, Math.floorMod(x.bits(), y.bits()));
        case SQUOT:
          return y.bits() == 0 ? null : integer(type, x.bits() / y.bits());
        case SREM:
          return y.bits() == 0 ? null : integer(type, x.bits() % y.bits());
        case SDIV_UP:
          return y.bits() == 0 ? null : integer(type, Math.ceilDiv(x.bits(), y.bits()));
        case SHL:
          return y.bits() < 0 || y.bits() >= type.bits()
              ? null
              : integer(type, x.bits() << y.bits());
        case AND:
          return integer(type, x.bits() & y.bits());
        case OR:
          return integer(type, x.bits() | y.bits());
        case XOR:
          return integer(type, x.bits() ^ y.bits());
        default:
          return null;
      }
    }
    boolean zeroLeft = x != null && x.isZero();
    boolean zeroRight = y != null && y.isZero();
    boolean oneLeft = x != null && x.isOne();
    boolean oneRight = y != null && y.isOne();
    return switch (kind) {
      case ADD -> zeroLeft ? b : zeroRight ? a : null;
      case SUB -> zeroRight ? a : a.equals(b) ? integer(type, 0) : null;
      case MUL -> oneLeft ? b : oneRight ? a : zeroLeft || zeroRight ? integer(type, 0) : null;
      case SDIV, UDIV, SQUOT, SDIV_UP, UDIV_UP -> oneRight ? a : null;
      case SMIN, SMAX, UMIN, UMAX -> a.equals(b) ? a : null;
      default -> null;
    };
  }

  private static @Nullable SubExp logical(
      BinOp.Kind kind, SubExp a, @Nullable PrimValue x, SubExp b, @Nullable PrimValue y) {
    return switch (kind) {
      case LOG_AND ->
          x != null
              ? (x.asBoolean() ? b : a)
              : y != null ? (y.asBoolean() ? a : b) : a.equals(b) ? a : null;
      case LOG_OR ->
          x != null
              ? (x.asBoolean() ? a : b)
              : y != null ? (y.asBoolean() ? b : a) : a.equals(b) ? a : null;
      default -> null;
    };
  }

  static @Nullable SubExp cmp(CmpOp.Kind kind, PrimType type, SubExp a, SubExp b) {
    if (type.isFloat()) return null;
    if (a.equals(b)) {
      return switch (kind) {
        case EQ, ULE, SLE, FLE, LLE -> SubExp.TRUE;
        case ULT, SLT, FLT, LLT -> SubExp.FALSE;
      };
    }
    PrimValue x = constant(a);
    PrimValue y = constant(b);
    if (x == null || y == null) return null;
    long l = x.bits();
    long r = y.bits();
    return switch (kind) {
      case EQ -> bool(l == r);
      case SLT, LLT -> bool(l < r);
      case SLE, LLE -> bool(l <= r);
      case ULT -> bool(Long.compareUnsigned(l, r) < 0);
      case ULE -> bool(Long.compareUnsigned(l, r) <= 0);
      case FLT, FLE -> null;
    };
  }

  static @Nullable SubExp unOp(UnOp.Kind kind, PrimType type, SubExp a) {
    PrimValue x = constant(a);
    if (x == null) return null;
    return switch (kind) {
      case NEG ->
          type.isInt()
              ? integer(type, -x.bits())
              : SubExp.of(PrimValue.ofFloat(type, -x.asDouble()));
      case NOT -> type == PrimType.BOOL ? bool(!x.asBoolean()) : integer(type, ~x.bits());
      case ABS -> type.isInt() ? integer(type, Math.abs(x.bits())) : null;
      case SSIGNUM, USIGNUM, FSIGNUM -> null;
    };
  }

  static @Nullable SubExp conv(ConvOp.Kind kind, PrimType from, PrimType to, SubExp a) {
    if (from == to) return a;
    PrimValue x = constant(a);
    if (x == null) return null;
    return switch (kind) {
      case SEXT -> integer(to, x.bits());
      case ZEXT ->
          integer(to, from == PrimType.I64 ? x.bits() : x.bits() & (1L << from.bits()) - 1);
      case FPCONV -> SubExp.of(PrimValue.ofFloat(to, x.asDouble()));
      case SITOFP -> exact(to, x.bits());
      case UITOFP -> x.bits() >= 0 ? exact(to, x.bits()) : null;
      case BTOI -> integer(to, x.bits());
      case ITOB -> bool(x.bits() != 0);
      case BTOF -> SubExp.of(PrimValue.ofFloat(to, x.bits()));
      case FTOB -> bool(!x.isZero());
      case FPTOUI, FPTOSI -> null;
    };
  }

  /** A small integer is a float of every type without rounding twice. */
  private static @Nullable SubExp exact(PrimType to, long value) {
    return Math.abs(value) <= 2048 || to == PrimType.F64
        ? SubExp.of(PrimValue.ofFloat(to, value))
        : null;
  }

  private static SubExp integer(PrimType type, long value) {
    return SubExp.of(PrimValue.ofInt(type, value));
  }

  private static SubExp bool(boolean b) {
    return b ? SubExp.TRUE : SubExp.FALSE;
  }
}
