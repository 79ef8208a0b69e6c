package futharkc.core.runtime.device;

/**
 * The properties of a device that are known before it is opened.
 *
 * @param api the name of the interface: {@code cuda} or {@code opencl}
 * @param platform the name of the platform
 * @param name the name of the device
 * @param driver the version of the driver
 * @param architecture the target of the kernel compiler, such as {@code sm_90}; empty if only the
 *     driver knows
 * @param kind the kind of device
 * @param limits the limits
 * @param platformIndex the position of the platform in the interface
 * @param index the position of the device in the platform
 */
public record DeviceInfo(
    String api,
    String platform,
    String name,
    String driver,
    String architecture,
    Kind kind,
    Limits limits,
    int platformIndex,
    int index) {

  /** Kinds of devices. */
  public enum Kind {
    GPU,
    CPU,
    OTHER
  }

  /**
   * The limits of a device.
   *
   * @param memory the memory in bytes
   * @param largestBlock the size of the largest memory block in bytes
   * @param units the number of multiprocessors (compute units)
   * @param threadsPerUnit the number of resident threads of a unit; 0 if unknown
   * @param blockThreads the largest number of threads in a thread block
   * @param gridX the largest number of thread blocks in the first dimension
   * @param gridYz the largest number of thread blocks in the second and in the third dimension
   * @param sharedMemory the shared memory of a thread block in bytes
   * @param registers the number of registers of a thread block; 0 if unknown
   * @param cache the size of the last-level cache in bytes; 0 if unknown
   * @param warpSize the number of threads of a warp; 1 if the device has no warps
   * @param f64 true if the device computes in double precision
   * @param atomics64 true if the device has atomic operations on 64-bit integers
   */
  public record Limits(
      long memory,
      long largestBlock,
      int units,
      int threadsPerUnit,
      int blockThreads,
      long gridX,
      long gridYz,
      int sharedMemory,
      int registers,
      long cache,
      int warpSize,
      boolean f64,
      boolean atomics64) {}
}
