package futharkc.harness.testing;

/** A test block that cannot be understood. */
public final class TestSpecException extends Exception {
  private static final long serialVersionUID = 1;

  private final int line;

  TestSpecException(int line, String message) {
    super(message);
    this.line = line;
  }

  /** The line in the program, from 1. */
  public int line() {
    return line;
  }
}
