package futharkc.core.ir.verify;

/** Where code runs in a program for a GPU. */
enum ExecutionLevel {
  /** On the host; all code of other representations. */
  HOST("host code"),
  /** In a thread block, by all of its threads together. */
  BLOCK("a thread block"),
  /** In one thread. */
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
