package futharkc.tests.oracle;

/** An exception for a program with an unsupported feature or too many steps. */
final class UnsupportedException extends RuntimeException {
  UnsupportedException(String message) {
    super(message);
  }
}
