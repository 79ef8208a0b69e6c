package futharkc.tests.oracle;

/** An expected run-time error of the program. */
final class ProgramFailureException extends RuntimeException {
  ProgramFailureException(String message) {
    super(message);
  }
}
