package futharkc.core.runtime;

/** A memory for the arrays of a program's user: the host's, or a device's. */
public interface ValueSpace {
  /**
   * Takes over an array that other code has created, such as a program's input.
   *
   * @param array the array
   * @return the array itself, counted as an array of this memory, or a copy in this memory
   * @throws FutharkError if there is not enough memory
   */
  ArrayValue adopt(ArrayValue array);

  /**
   * Copies an array to a new block of this memory.
   *
   * @throws FutharkError if there is not enough memory
   */
  ArrayValue copy(ArrayValue array);

  /** Releases the block of an array. */
  void release(ArrayStore store);

  /**
   * Records the live blocks.
   *
   * @return an action that releases all live blocks allocated since, for use after a failed call;
   *     only the call may use the memory in between
   */
  Runnable savepoint();
}
