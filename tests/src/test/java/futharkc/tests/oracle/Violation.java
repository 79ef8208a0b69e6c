package futharkc.tests.oracle;

/** What the type checker promised does not hold. */
final class Violation extends RuntimeException {
  Violation(String message) {
    super(message);
  }
}
