package futharkc.core.runtime;

/** A memory in which the arrays lie that a program's user holds: the host's, or a device's. */
public interface ValueSpace {
  /**
   * Takes over an array that was made elsewhere, such as a program's input: the array itself, from
   * now on in this memory's account, or a copy of it in this memory.
   *
   * @throws FutharkError if there is not enough memory
   */
  ArrayValue adopt(ArrayValue array);

  /**
   * A copy of an array, in a block of its own in this memory.
   *
   * @throws FutharkError if there is not enough memory
   */
  ArrayValue copy(ArrayValue array);

  /** Gives back the block of an array that nobody uses any more. */
  void release(ArrayStore store);

  /**
   * Remembers what is in use now.
   *
   * @return gives back all blocks that have been taken since and are still in use, for when a call
   *     has failed; nobody but the call may use the memory in between
   */
  Runnable savepoint();
}
