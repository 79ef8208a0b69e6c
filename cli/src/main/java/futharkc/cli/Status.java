package futharkc.cli;

/** Exit codes. */
final class Status {
  /** All is well. */
  static final int OK = 0;

  /**
   * A bad command line, a failure of the compiler, or a run-time error of a program that was run.
   */
  static final int FAILED = 1;

  /** The program was rejected. */
  static final int REJECTED = 2;

  private Status() {}
}
