package futharkc.harness.testing;

/** An exception for a FutharkScript expression that cannot be parsed or evaluated. */
public final class ScriptException extends Exception {
  private static final long serialVersionUID = 1;

  /** Creates an exception; the message is for users. */
  public ScriptException(String message) {
    super(message);
  }
}
