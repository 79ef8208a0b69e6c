package futharkc.backend.interpreter;

import futharkc.core.runtime.FutharkError;

/** The limits of Java arrays. */
final class Limits {
  private static final int MAX = Integer.MAX_VALUE - 8;

  private Limits() {}

  /**
   * Returns a number of elements as the length of a Java array.
   *
   * @param bytes the size of an element in bytes
   */
  static int length(long size, int bytes) {
    if (size < 0) {
      throw new Fault("an array of " + size + " elements");
    }
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
