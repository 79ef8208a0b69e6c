package futharkc.core.ir.spi;

import futharkc.core.ir.Loc;

/**
 * An error in the user's program or options: a limitation of a pass or backend, not a bug of the
 * compiler.
 */
public final class PassException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient Loc loc;

  /** Makes an error at a source location. The message states the cause and a workaround. */
  public PassException(Loc loc, String message) {
    super(message);
    this.loc = loc;
  }

  public Loc loc() {
    return loc;
  }
}
