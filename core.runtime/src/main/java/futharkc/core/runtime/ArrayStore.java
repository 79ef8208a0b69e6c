package futharkc.core.runtime;

/**
 * Where the elements of an {@link ArrayValue} lie: in a Java array, or in a block on a device.
 *
 * <p>Positions and numbers count elements of the value's type. Java arrays are as {@link
 * ElemType#newArray} makes them for the type.
 */
public interface ArrayStore {
  /** What values share if they share elements, compared by identity. */
  Object block();

  /**
   * The elements as one Java array, transferred if they are elsewhere. It may be longer than the
   * array that is asked for.
   *
   * @param size the number of elements wanted, at most {@link Memory#MAX_LENGTH}
   */
  Object javaArray(ElemType type, int size);

  /** Copies {@code count} elements, from position {@code from} on, into a Java array. */
  void read(ElemType type, long from, Object target, int at, int count);

  /** Overwrites {@code count} elements, from position {@code to} on, with those of a Java array. */
  void write(ElemType type, long to, Object source, int at, int count);
}
