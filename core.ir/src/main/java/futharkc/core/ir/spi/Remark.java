package futharkc.core.ir.spi;

import futharkc.core.ir.Loc;

/**
 * What a pass did or why it refused.
 *
 * @param function the IR function
 * @param loc where in the source
 */
public record Remark(Kind kind, String function, Loc loc, String message) {
  /** Whether something was done. */
  public enum Kind {
    APPLIED,
    MISSED,
    NOTE
  }
}
