package futharkc.integration.spark;

/** The refusal of a JVM that is too old for Futhark programs. */
public final class UnsupportedJavaException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** Creates the refusal. */
  UnsupportedJavaException(String message) {
    super(message);
  }
}
