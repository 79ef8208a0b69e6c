package futharkc.harness.testing;

/** An exception for a FutharkScript expression that cannot be parsed or evaluated. */
public final class ScriptException extends Exception {
  private static final long serialVersionUID = 1;

  ScriptException(String message) {
    super(message);
  }
}
