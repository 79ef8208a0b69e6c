package futharkc.core.runtime;

/**
 * The operations of host code on a device.
 *
 * @param launches the number of kernel launches
 * @param reads the number of transfers of elements that the host read. A device may serve several
 *     elements with one transfer, or with an earlier one
 * @param elements the number of elements that the host read
 * @param waits the number of times that the host blocked until the device had finished work
 * @param writes the number of elements and constant arrays that the host wrote
 * @param copies the number of copies of arrays, or of parts of arrays, within the device
 * @param bytesRead the number of bytes of the transfers to the host
 * @param bytesWritten the number of bytes that the host wrote
 */
public record DeviceActivity(
    long launches,
    long reads,
    long elements,
    long waits,
    long writes,
    long copies,
    long bytesRead,
    long bytesWritten) {
  /** The activity of a program without a device. */
  public static final DeviceActivity NONE = new DeviceActivity(0, 0, 0, 0, 0, 0, 0, 0);

  /** Returns the sum of two activities. */
  public DeviceActivity plus(DeviceActivity o) {
    return new DeviceActivity(
        launches + o.launches,
        reads + o.reads,
        elements + o.elements,
        waits + o.waits,
        writes + o.writes,
        copies + o.copies,
        bytesRead + o.bytesRead,
        bytesWritten + o.bytesWritten);
  }

  /** Returns the activity since an earlier state of the same counters. */
  public DeviceActivity since(DeviceActivity o) {
    return new DeviceActivity(
        launches - o.launches,
        reads - o.reads,
        elements - o.elements,
        waits - o.waits,
        writes - o.writes,
        copies - o.copies,
        bytesRead - o.bytesRead,
        bytesWritten - o.bytesWritten);
  }
}
