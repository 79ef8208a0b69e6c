package futharkc.core.runtime.device;

/**
 * What is known of a device before it is opened.
 *
 * @param api the interface's name: {@code cuda} or {@code opencl}
 * @param platform name of the platform that it belongs to
 * @param name its own name
 * @param driver version of its driver
 * @param architecture what kernels are compiled for, such as {@code sm_90}; empty where the driver
 *     alone knows
 * @param kind whether it is a GPU
 * @param limits what it can do
 * @param platformIndex position of the platform among the interface's
 * @param index position of the device among the platform's
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
   * What a device can do.
   *
   * @param memory its memory in bytes
   * @param largestBlock the largest block of memory in bytes
   * @param units number of its multiprocessors, or compute units
   * @param threadsPerUnit how many threads a unit holds at a time; 0 where that is not known
   * @param blockThreads the largest number of threads in a thread block
   * @param gridX the largest number of thread blocks in the first dimension
   * @param gridYz the same, in the second and third one
   * @param sharedMemory bytes of shared memory that a thread block can have
   * @param registers how many a thread block can have; 0 where that is not known
   * @param cache bytes of the last cache before memory; 0 where that is not known
   * @param lockstep how many threads run in lockstep: a warp; 1 where none do
   * @param f64 whether it computes in double precision
   * @param atomics64 whether there are atomic operations on 64-bit integers
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
      int lockstep,
      boolean f64,
      boolean atomics64) {}
}
