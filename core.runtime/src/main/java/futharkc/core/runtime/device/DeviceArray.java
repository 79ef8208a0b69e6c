package futharkc.core.runtime.device;

import futharkc.core.runtime.ArrayStore;
import futharkc.core.runtime.ElemType;

/**
 * The elements of an array, from the start of a block on a device; each look at them waits.
 *
 * @param buffer the block
 * @param number tells this use of the block from later ones: {@link Buffer#number}
 */
public record DeviceArray(Buffer buffer, long number) implements ArrayStore {
  /** The elements in a block that is in use. */
  public DeviceArray(Buffer buffer) {
    this(buffer, buffer.number());
  }

  /**
   * The block.
   *
   * @throws IllegalStateException if it was given back since: it may have others' elements by now
   */
  @Override
  public Buffer buffer() {
    buffer.checkUse(number);
    return buffer;
  }

  @Override
  public Object block() {
    return buffer;
  }

  @Override
  public Object javaArray(ElemType type, int size) {
    Object data = type.newArray(size);
    read(type, 0, data, 0, size);
    return data;
  }

  @Override
  public void read(ElemType type, long from, Object target, int at, int count) {
    Device device = buffer.device();
    device.queue().exclusively(() -> device.read(buffer(), type, from, target, at, count));
  }

  @Override
  public void write(ElemType type, long to, Object source, int at, int count) {
    Device device = buffer.device();
    device.queue().exclusively(() -> device.write(buffer(), type, to, source, at, count));
  }
}
