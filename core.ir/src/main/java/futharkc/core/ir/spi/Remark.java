package futharkc.core.ir.spi;

import futharkc.core.ir.Loc;

/**
 * A report of a change, or of the reason why a pass omitted one.
 *
 * @param function the IR function
 * @param loc the source location
 */
public record Remark(Kind kind, String function, Loc loc, String message) {
  /** The outcome that a remark reports. */
  public enum Kind {
    APPLIED,
    MISSED,
    NOTE
  }
}
