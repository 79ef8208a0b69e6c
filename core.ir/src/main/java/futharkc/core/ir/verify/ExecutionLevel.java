package futharkc.core.ir.verify;

/** The level at which code of a GPU program runs. */
enum ExecutionLevel {
  /** The host. All code of other representations is on this level. */
  HOST("host code"),
  /** A thread block, whose threads run the code together. */
  BLOCK("a thread block"),
  /** A single thread. */
  THREAD("a thread");

  private final String text;

  ExecutionLevel(String text) {
    this.text = text;
  }

  @Override
  public String toString() {
    return text;
  }
}
