package futharkc.core.ir.verify;

import java.util.List;
import java.util.stream.Collectors;

/**
 * An exception for a program that violates rules of its representation, which is a bug of the pass
 * that produced it.
 */
public final class VerificationException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient List<Violation> violations;

  VerificationException(List<Violation> violations) {
    super(violations.stream().map(Violation::toString).collect(Collectors.joining("\n\n")));
    this.violations = List.copyOf(violations);
  }

  /** Returns the violations, at most one for each function. */
  public List<Violation> violations() {
    return violations;
  }
}
