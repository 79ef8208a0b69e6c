package futharkc.backend.interpreter;

/**
 * What a program for a GPU had its device do.
 *
 * @param launches operations of threads and blocks, bodies, and arrays filled
 * @param reads how often host code waited for elements, however many it fetched at once
 * @param writes elements, and constant arrays, that host code stored
 * @param copies arrays, or parts of them, copied within the device
 */
public record DeviceActivity(long launches, long reads, long writes, long copies) {
  /** Of a program without a device. */
  static final DeviceActivity NONE = new DeviceActivity(0, 0, 0, 0);
}
