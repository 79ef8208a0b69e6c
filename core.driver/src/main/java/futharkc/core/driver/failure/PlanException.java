package futharkc.core.driver.failure;

/**
 * The passes that were asked for cannot be put into a sequence. The message says why, and the way
 * out.
 */
public final class PlanException extends CompilerException {
  private static final long serialVersionUID = 1;

  public PlanException(String message) {
    super(message, null);
  }
}
