package futharkc.core.language.lower;

import futharkc.core.ir.BinOp;
import futharkc.core.ir.CmpOp;
import futharkc.core.ir.ConvOp;
import futharkc.core.ir.Folding;
import futharkc.core.ir.PrimValue;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.UnOp;
import org.jspecify.annotations.Nullable;

/**
 * Constant folding of scalar operations, and simplification for neutral or equal operands. A null
 * result means that the operation needs a statement.
 */
final class Fold {
  private Fold() {}

  private static @Nullable PrimValue constant(SubExp e) {
    return e instanceof SubExp.Const c ? c.value() : null;
  }

  private static @Nullable SubExp operand(@Nullable PrimValue v) {
    return v == null ? null : SubExp.of(v);
  }

  static boolean isNonZero(SubExp e) {
    PrimValue v = constant(e);
    return v != null && !v.isZero();
  }

  static @Nullable SubExp binOp(BinOp op, SubExp a, SubExp b) {
    PrimValue x = constant(a);
    PrimValue y = constant(b);
    if (x != null && y != null) {
      return operand(Folding.binOp(op, x, y));
    }
    if (op.type().isFloat()) {
      return null;
    }
    boolean same = a.equals(b);
    boolean zeroLeft = x != null && x.isZero();
    boolean zeroRight = y != null && y.isZero();
    boolean oneLeft = x != null && x.isOne();
    boolean oneRight = y != null && y.isOne();
    return switch (op.kind()) {
      case ADD -> zeroLeft ? b : zeroRight ? a : null;
      case SUB -> zeroRight ? a : same ? SubExp.of(PrimValue.zero(op.type())) : null;
      case MUL -> oneLeft || zeroRight ? b : oneRight || zeroLeft ? a : null;
      case SDIV, UDIV, SQUOT, SDIV_UP, UDIV_UP -> oneRight ? a : null;
      case SMIN, SMAX, UMIN, UMAX -> same ? a : null;
      case LOG_AND -> oneLeft || zeroRight ? b : oneRight || zeroLeft || same ? a : null;
      case LOG_OR -> zeroLeft || oneRight ? b : zeroRight || oneLeft || same ? a : null;
      default -> null;
    };
  }

  static @Nullable SubExp cmp(CmpOp op, SubExp a, SubExp b) {
    PrimValue x = constant(a);
    PrimValue y = constant(b);
    if (x != null && y != null) {
      return operand(Folding.cmpOp(op, x, y));
    }
    if (op.type().isFloat() || !a.equals(b)) {
      return null;
    }
    return switch (op.kind()) {
      case EQ, ULE, SLE, FLE, LLE -> SubExp.TRUE;
      case ULT, SLT, FLT, LLT -> SubExp.FALSE;
    };
  }

  static @Nullable SubExp unOp(UnOp op, SubExp a) {
    PrimValue x = constant(a);
    return x == null ? null : operand(Folding.unOp(op, x));
  }

  static @Nullable SubExp conv(ConvOp op, SubExp a) {
    if (op.from() == op.to()) {
      return a;
    }
    PrimValue x = constant(a);
    return x == null ? null : operand(Folding.convOp(op, x));
  }
}
