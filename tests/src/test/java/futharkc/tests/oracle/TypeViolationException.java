package futharkc.tests.oracle;

/** An exception for a violated guarantee of the type checker. */
final class TypeViolationException extends RuntimeException {
  TypeViolationException(String message) {
    super(message);
  }
}
