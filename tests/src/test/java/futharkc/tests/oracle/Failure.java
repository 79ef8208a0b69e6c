package futharkc.tests.oracle;

/** The program stops with an error, as it should. */
final class Failure extends RuntimeException {
  Failure(String message) {
    super(message);
  }
}
