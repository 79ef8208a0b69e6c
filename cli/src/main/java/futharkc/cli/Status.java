package futharkc.cli;

/** The exit codes of the program. */
final class Status {
  /** Success. */
  static final int OK = 0;

  /**
   * A malformed command line, a failure of the compiler, or a run-time error of the executed
   * program.
   */
  static final int FAILED = 1;

  /** A rejected program: the front end found an error, or a warning under {@code --Werror}. */
  static final int REJECTED = 2;

  private Status() {}
}
