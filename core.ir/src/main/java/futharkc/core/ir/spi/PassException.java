package futharkc.core.ir.spi;

import futharkc.core.ir.Loc;

/**
 * A limitation that a pass or backend met: an error of the user's program or options, not of the
 * compiler.
 */
public final class PassException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient Loc loc;

  /** At a place in the source; the message says the cause and the way out. */
  public PassException(Loc loc, String message) {
    super(message);
    this.loc = loc;
  }

  public Loc loc() {
    return loc;
  }
}
