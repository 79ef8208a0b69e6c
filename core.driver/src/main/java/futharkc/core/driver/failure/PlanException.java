package futharkc.core.driver.failure;

/**
 * An exception for requested passes that form no valid sequence. The message gives the reason and a
 * remedy.
 */
public final class PlanException extends CompilerException {
  private static final long serialVersionUID = 1;

  public PlanException(String message) {
    super(message, null);
  }
}
