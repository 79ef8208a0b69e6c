package futharkc.core.ir.verify;

import futharkc.core.ir.Stm;
import org.jspecify.annotations.Nullable;

/** Thrown at the first broken rule of a function. */
final class BrokenRule extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** The innermost statement; null if the rule is not about a statement. */
  transient @Nullable Stm where;

  BrokenRule(String message) {
    super(message, null, false, false);
  }
}
