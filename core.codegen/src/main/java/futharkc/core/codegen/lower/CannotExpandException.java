package futharkc.core.codegen.lower;

import futharkc.core.ir.Loc;

/**
 * Says that a kernel needs memory whose size is not known before it is launched. A version of code
 * that does is left out; without any other version the program cannot be compiled.
 */
final class CannotExpandException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final transient Loc loc;
  private final String report;

  CannotExpandException(Loc loc, String message) {
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
