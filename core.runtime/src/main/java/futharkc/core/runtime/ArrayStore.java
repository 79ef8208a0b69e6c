package futharkc.core.runtime;

/**
 * The memory of an {@link ArrayValue}: a Java array, or a block on a device.
 *
 * <p>Positions and counts are in elements of the value's type. Java arrays have the class that
 * {@link ElemType#newArray} gives for the type.
 */
public interface ArrayStore {
  /** Returns the identity of the memory: stores that share elements return the same object. */
  Object block();

  /**
   * Returns the elements as one Java array; the elements of a device are copied. The array may be
   * longer than the requested size.
   *
   * @param type the element type
   * @param size the number of elements, at most {@link Memory#MAX_LENGTH}
   */
  Object javaArray(ElemType type, int size);

  /** Copies {@code count} elements, from position {@code from} on, into a Java array. */
  void read(ElemType type, long from, Object target, int at, int count);

  /** Overwrites {@code count} elements, from position {@code to} on, with those of a Java array. */
  void write(ElemType type, long to, Object source, int at, int count);
}
