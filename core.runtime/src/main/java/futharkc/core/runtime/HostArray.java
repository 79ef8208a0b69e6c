package futharkc.core.runtime;

/**
 * The elements of an array in a Java array, which is shared, not copied.
 *
 * @param data the Java array, which may be longer than the value
 */
public record HostArray(Object data) implements ArrayStore {
  @Override
  public Object block() {
    return data;
  }

  @Override
  public Object javaArray(ElemType type, int size) {
    return data;
  }

  @Override
  @SuppressWarnings("SuspiciousSystemArraycopy") // Both are arrays of the type's carrier.
  public void read(ElemType type, long from, Object target, int at, int count) {
    System.arraycopy(data, Math.toIntExact(from), target, at, count);
  }

  @Override
  @SuppressWarnings("SuspiciousSystemArraycopy")
  public void write(ElemType type, long to, Object source, int at, int count) {
    System.arraycopy(source, at, data, Math.toIntExact(to), count);
  }
}
