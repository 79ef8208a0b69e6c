package futharkc.core.ir;

/**
 * A parameter. Its type may mention earlier parameters of the same list.
 *
 * @param unique for parameters of functions and loops, true if the argument is consumed and may be
 *     updated in place
 */
public record Param(Name name, Type type, boolean unique) {
  /** Makes a parameter that is not consumed. */
  public Param(Name name, Type type) {
    this(name, type, false);
  }
}
