package futharkc.core.runtime.device;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * The driver calls for one open device. The queue is in order, and all work in it is asynchronous
 * unless the method states otherwise. Blocks, modules, kernels and measurements are handles of the
 * driver, which are never 0.
 *
 * <p>All methods may throw a {@link DriverException}. Any thread may call them, one thread at a
 * time.
 */
public interface Driver extends AutoCloseable {
  /**
   * Allocates a block.
   *
   * @param bytes the size in bytes, positive
   * @return the block, or 0 if there is not enough memory
   */
  long allocate(long bytes);

  /**
   * Tests whether the handle of a block is its address. The sum of the address and an offset is
   * then a valid block for all methods but {@link #free}.
   */
  default boolean blocksAreAddresses() {
    return false;
  }

  /** Frees a block after the work in the queue is finished. */
  void free(long block);

  /** Returns the number of free bytes of the device's memory; -1 if unknown. */
  long freeMemory();

  /**
   * Copies bytes of a Java array to a block. The caller may change the array after the return.
   *
   * @param block the block
   * @param offset the offset in the block, in bytes
   * @param source the Java array
   * @param at the offset in the array, in bytes
   * @param bytes the number of bytes
   */
  void write(long block, long offset, Buffer source, long at, long bytes);

  /**
   * Copies bytes of a block to a Java array, and waits for the transfer.
   *
   * @param block the block
   * @param offset the offset in the block, in bytes
   * @param target the Java array
   * @param at the offset in the array, in bytes
   * @param bytes the number of bytes
   */
  void read(long block, long offset, Buffer target, long at, long bytes);

  /**
   * Returns the staging memory on the host, to which {@link #readLater} copies: a few KiB, in
   * native byte order.
   */
  ByteBuffer staging();

  /**
   * Copies bytes of a block to {@link #staging}. The copy is complete after the next {@link
   * #synchronise}.
   */
  void readLater(long block, long offset, long at, long bytes);

  /** Copies bytes of a block to another block, or within a block if the ranges do not overlap. */
  void copy(long to, long toOffset, long from, long fromOffset, long bytes);

  /**
   * Fills a range of a block with equal elements.
   *
   * @param block the block
   * @param offset the offset in bytes, a multiple of the width
   * @param width the size of an element in bytes: 1, 2, 4 or 8
   * @param bits the bits of the element
   * @param count the number of elements
   */
  void fill(long block, long offset, int width, long bits, long count);

  /** Waits until the queue is empty. */
  void synchronise();

  /** Enqueues an event, which happens when all work before it is finished. */
  long record();

  /** Waits until an event has happened, but not for work that was enqueued after it. */
  void await(long event);

  /** Releases an event that has happened, or that nothing will wait for. */
  void discard(long event);

  /**
   * Compiles kernels.
   *
   * @return the binary, for {@link #load}
   * @throws DriverException with the compiler's messages
   */
  byte[] compile(String source, List<String> options);

  /** Tests whether several threads may call {@link #compile} concurrently. */
  boolean compilesConcurrently();

  /**
   * Compiles kernels to a readable form for other devices, such as PTX, if the interface has one;
   * {@link #load} accepts this form.
   */
  byte[] portable(String source, List<String> options);

  /** Tests whether {@link #load} detects damage of the result of {@link #portable}. */
  boolean checksPortable();

  /** Loads compiled kernels as a module. */
  long load(byte[] binary);

  /**
   * Tests whether the driver caches compiled kernels itself, kernel by kernel at their first
   * launch. A request for a binary would make such a driver compile all kernels, for sizes that may
   * never be used.
   */
  default boolean keepsCompiled() {
    return false;
  }

  /**
   * Compiles and loads kernels without returning the binary.
   *
   * @throws DriverException with the compiler's messages
   */
  default long compileAndLoad(String source, List<String> options) {
    return load(compile(source, options));
  }

  /** Unloads a module and its kernels. */
  void unload(long module);

  /**
   * Returns a kernel of a module.
   *
   * @throws DriverException if the module has no kernel of that name
   */
  NativeKernel kernel(long module, String name);

  /**
   * A loaded kernel.
   *
   * @param handle the driver's handle
   * @param blockThreads the largest number of threads in a thread block of this kernel
   * @param sharedMemory the static shared memory of a thread block in bytes
   * @param registers the number of registers of a thread; 0 if unknown
   */
  record NativeKernel(long handle, int blockThreads, int sharedMemory, int registers) {}

  /**
   * Enqueues a kernel launch. All sizes are positive and within the device's limits.
   *
   * @param kernel the kernel
   * @param arguments the arguments; the caller may change them after the return
   * @param shared the shared memory in bytes; -1 if the kernel has no such parameter
   * @param gridX the number of thread blocks in the first dimension
   * @param gridY the number of thread blocks in the second dimension
   * @param gridZ the number of thread blocks in the third dimension
   * @param blockX the number of threads in the first dimension of a thread block
   * @param blockY the number of threads in the second dimension of a thread block
   * @param blockZ the number of threads in the third dimension of a thread block
   */
  void launch(
      long kernel,
      KernelArguments arguments,
      int shared,
      int gridX,
      int gridY,
      int gridZ,
      int blockX,
      int blockY,
      int blockZ);

  /** Starts the measurement of all work that is enqueued before {@link #endTiming}. */
  void beginTiming();

  /**
   * Ends the measurement that {@link #beginTiming} has started.
   *
   * @return the handle of the measurement
   */
  long endTiming();

  /** Returns the result of a measurement, once. The queue must have been empty since. */
  Timing timing(long timing);

  /**
   * A measured time.
   *
   * @param start the approximate start, on the clock of {@link System#nanoTime}
   * @param nanos the duration in nanoseconds
   */
  record Timing(long start, long nanos) {}

  /** Releases all resources, also after the loss of the device. */
  @Override
  void close();
}
