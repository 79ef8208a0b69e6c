package futharkc.backend.interpreter;

/**
 * The operations that a GPU program has made its device do.
 *
 * @param launches the number of kernel launches: thread and block operations, GPU bodies, and
 *     filled arrays
 * @param reads the number of times that host code waited for elements, however many it read at once
 * @param writes the number of elements and constant arrays that host code wrote
 * @param copies the number of copies of arrays, or parts of arrays, within the device
 */
public record DeviceActivity(long launches, long reads, long writes, long copies) {
  /** The activity of a program without a device. */
  static final DeviceActivity NONE = new DeviceActivity(0, 0, 0, 0);
}
