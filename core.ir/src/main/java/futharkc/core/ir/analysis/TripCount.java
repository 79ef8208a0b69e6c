package futharkc.core.ir.analysis;

import futharkc.core.ir.Builder;
import futharkc.core.ir.CmpOp;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.PrimValue;
import futharkc.core.ir.SubExp;

/**
 * How often a body is evaluated.
 *
 * @param count an operand in scope where the expression with that body stands; a negative one means
 *     not at all, too
 * @param type its integer type
 */
public record TripCount(SubExp count, PrimType type) {
  /** Once. */
  static final TripCount ONE = new TripCount(SubExp.i64(1), PrimType.I64);

  /**
   * Whether the body surely is evaluated: what it does in any case may then be done before it, even
   * if that fails or takes long.
   */
  public boolean isPositive() {
    return count instanceof SubExp.Const c && c.value().asLong() > 0;
  }

  /** Computes whether the body is not evaluated at all: the guard of what is done before it. */
  public SubExp isZero(Builder b) {
    return b.cmp("none", CmpOp.Kind.SLE, type, count, SubExp.of(PrimValue.zero(type)));
  }
}
