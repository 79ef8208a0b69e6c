package futharkc.core.ir.verify;

import org.jspecify.annotations.Nullable;

/** An exception for the first broken rule of a function. */
final class BrokenRule extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** The innermost statement in text form, or null if the rule does not concern a statement. */
  @Nullable String where;

  BrokenRule(String message) {
    super(message, null, false, false);
  }
}
