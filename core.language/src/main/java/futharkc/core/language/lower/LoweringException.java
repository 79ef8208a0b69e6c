package futharkc.core.language.lower;

import futharkc.core.ir.Loc;

/** A limitation of the compiler that a program meets. */
public final class LoweringException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient Loc loc;

  /** At a place in the source; the message says the way out. */
  public LoweringException(Loc loc, String message) {
    super(message);
    this.loc = loc;
  }

  public Loc loc() {
    return loc;
  }
}
