package futharkc.core.runtime.device;

import futharkc.core.runtime.ArrayStore;
import futharkc.core.runtime.ElemType;

/**
 * The elements of an array at the start of a block on a device. Each access waits for the device.
 *
 * @param buffer the block
 * @param number the {@linkplain Buffer#number serial number} of the allocation, which distinguishes
 *     later uses of the block
 */
public record DeviceArray(Buffer buffer, long number) implements ArrayStore {
  /** Creates the store of a live block. */
  public DeviceArray(Buffer buffer) {
    this(buffer, buffer.number());
  }

  /**
   * Returns the block.
   *
   * @throws IllegalStateException if the block was released since, and may contain another array
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
