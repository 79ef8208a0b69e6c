package futharkc.core.ir.analysis;

import futharkc.core.ir.Builder;
import futharkc.core.ir.CmpOp;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.PrimValue;
import futharkc.core.ir.SubExp;

/**
 * The number of evaluations of a body.
 *
 * @param count an operand in scope at the expression with the body; a negative count means no
 *     evaluation
 * @param type the integer type of the count
 */
public record TripCount(SubExp count, PrimType type) {
  /** A single evaluation. */
  static final TripCount ONE = new TripCount(SubExp.i64(1), PrimType.I64);

  /**
   * Tests whether the body is known to be evaluated at least once. If so, unconditional statements
   * may be moved before the body even if they may fail or take long.
   */
  public boolean isPositive() {
    return count instanceof SubExp.Const c && c.value().asLong() > 0;
  }

  /** Emits the condition that the body is never evaluated, the guard of code moved before it. */
  public SubExp isZero(Builder b) {
    return b.cmp("none", CmpOp.Kind.SLE, type, count, SubExp.of(PrimValue.zero(type)));
  }
}
