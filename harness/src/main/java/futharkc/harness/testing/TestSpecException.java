package futharkc.harness.testing;

/** An exception for a malformed test block. */
public final class TestSpecException extends Exception {
  private static final long serialVersionUID = 1;

  private final int line;

  TestSpecException(int line, String message) {
    super(message);
    this.line = line;
  }

  /** Returns the line in the program, from 1. */
  public int line() {
    return line;
  }
}
