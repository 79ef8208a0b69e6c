package futharkc.core.language.lower;

import futharkc.core.ir.Loc;

/** An exception for a program that exceeds a limit of the compiler. */
public final class LoweringException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient Loc loc;

  /** Creates an exception at a source location. The message states a remedy. */
  public LoweringException(Loc loc, String message) {
    super(message);
    this.loc = loc;
  }

  public Loc loc() {
    return loc;
  }
}
