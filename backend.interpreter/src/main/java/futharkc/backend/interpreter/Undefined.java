package futharkc.backend.interpreter;

import org.jspecify.annotations.Nullable;

/**
 * The reason why a scalar has no value. Code may compute with such a scalar and store it, as long
 * as no control flow, address or result depends on it.
 *
 * @param block the block whose element was never written; null for other reasons
 * @param index the index of the element
 */
record Undefined(@Nullable CheckedBlock block, long index) {
  /** The reason for a variable that was never assigned. */
  static final Undefined UNASSIGNED = new Undefined(null, 0);

  /** The reason for an element outside its block. */
  static final Undefined OUTSIDE = new Undefined(null, 1);

  @Override
  public String toString() {
    if (this == OUTSIDE) {
      return "an element outside its block";
    }
    return block == null
        ? "a variable that was never assigned"
        : "element " + index + " of " + block + ", which was never written";
  }
}
