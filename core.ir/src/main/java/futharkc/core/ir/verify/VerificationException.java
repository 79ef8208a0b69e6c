package futharkc.core.ir.verify;

import java.util.List;
import java.util.stream.Collectors;

/** A program that breaks rules of its representation: the fault of the pass that made it. */
public final class VerificationException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient List<Violation> violations;

  VerificationException(List<Violation> violations) {
    super(violations.stream().map(Violation::toString).collect(Collectors.joining("\n\n")));
    this.violations = List.copyOf(violations);
  }

  /** At most one for each function. */
  public List<Violation> violations() {
    return violations;
  }
}
