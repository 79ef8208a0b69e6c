package futharkc.backend.interpreter;

import futharkc.core.runtime.FutharkError;

/** What fits in a Java array. */
final class Limits {
  private static final int MAX = Integer.MAX_VALUE - 8;

  private Limits() {}

  /** A number of elements as a Java array's length. */
  static int length(long size, int bytes) {
    if (size < 0) throw new Fault("an array of " + size + " elements");
    if (size > MAX) {
      throw new FutharkError(
          "Out of memory: an array of "
              + size
              + " elements ("
              + bytes
              + " bytes each) is beyond what one Java array holds.");
    }
    return (int) size;
  }
}
