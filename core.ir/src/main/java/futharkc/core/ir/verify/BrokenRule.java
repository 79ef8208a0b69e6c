package futharkc.core.ir.verify;

import org.jspecify.annotations.Nullable;

/** Thrown at the first broken rule of a function. */
final class BrokenRule extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** The innermost statement in text form; null if the rule is not about a statement. */
  @Nullable String where;

  BrokenRule(String message) {
    super(message, null, false, false);
  }
}
