package futharkc.core.codegen.lower.common;

import futharkc.core.ir.Loc;

/**
 * A kernel that needs memory whose size is unknown before the launch. If code has another version,
 * lowering omits the version with such a kernel; else the program cannot be compiled.
 */
public final class CannotExpandException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final transient Loc loc;
  private final String report;

  /**
   * Creates the exception.
   *
   * @param loc the source location of the allocation
   * @param message the reason, for the user
   */
  public CannotExpandException(Loc loc, String message) {
    super(message, null, false, false);
    this.loc = loc;
    this.report = message;
  }

  Loc loc() {
    return loc;
  }

  String report() {
    return report;
  }
}
