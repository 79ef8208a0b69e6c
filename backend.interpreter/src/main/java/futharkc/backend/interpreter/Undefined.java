package futharkc.backend.interpreter;

import org.jspecify.annotations.Nullable;

/**
 * Why a scalar has no value. Code may compute with it and store it, which hands it on, as long as
 * nothing that the program does depends on it.
 *
 * @param block whose element was never written; null for a variable that was never assigned
 */
record Undefined(@Nullable CheckedBlock block, long index) {
  /** Of a variable that was never assigned. */
  static final Undefined UNASSIGNED = new Undefined(null, 0);

  @Override
  public String toString() {
    return block == null
        ? "a variable that was never assigned"
        : "element " + index + " of " + block + ", which was never written";
  }
}
