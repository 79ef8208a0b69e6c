package futharkc.tests.oracle;

/** The program needs what this interpreter does not know, or more steps than it makes. */
final class Unsupported extends RuntimeException {
  Unsupported(String message) {
    super(message);
  }
}
