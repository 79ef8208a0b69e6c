package futharkc.core.runtime.device;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * The driver calls of one open device. Its queue is in order, and everything that is put into it is
 * asynchronous unless said otherwise. Blocks, modules, kernels and timings are the driver's own
 * handles, which are never 0.
 *
 * <p>All methods may throw a {@link DriverException}; they may be called from any thread, but from
 * one at a time.
 */
public interface Driver extends AutoCloseable {
  /** A block of that many bytes, more than 0; or 0 if there is not enough memory. */
  long allocate(long bytes);

  /**
   * Whether the handle of a block is its address, so that the sum of that and an offset stands for
   * the rest of the block, wherever a block is wanted but for {@link #free}.
   */
  default boolean blocksAreAddresses() {
    return false;
  }

  /** Gives a block back once the queue is done with it. */
  void free(long block);

  /** Bytes of the device's memory that nobody uses; -1 if the driver does not tell. */
  long freeMemory();

  /**
   * Copies part of a Java array, which the buffer is over, into a block; the array may be changed
   * when this returns.
   *
   * @param offset in bytes, from the start of the block
   * @param at in bytes, from the start of the array
   */
  void write(long block, long offset, Buffer source, long at, long bytes);

  /** Copies part of a block into a Java array, which the buffer is over, and waits. */
  void read(long block, long offset, Buffer target, long at, long bytes);

  /**
   * Memory of the host that {@link #readLater} can copy to: a few KiB, in the machine's byte order.
   */
  ByteBuffer staging();

  /**
   * Copies part of a block into {@link #staging}, where it is after the next {@link #synchronise}.
   */
  void readLater(long block, long offset, long at, long bytes);

  /** Copies part of a block into another one, or to where they do not overlap. */
  void copy(long to, long toOffset, long from, long fromOffset, long bytes);

  /**
   * Fills part of a block with equal elements.
   *
   * @param width bytes of an element: 1, 2, 4 or 8; the offset is a multiple
   * @param bits the element
   * @param count how many
   */
  void fill(long block, long offset, int width, long bits, long count);

  /** Waits until the queue is empty. */
  void synchronise();

  /**
   * Compiles kernels.
   *
   * @return what {@link #load} takes
   * @throws DriverException with the compiler's messages
   */
  byte[] compile(String source, List<String> options);

  /** Whether {@link #compile} may be called from several threads at a time. */
  boolean compilesConcurrently();

  /**
   * Compiles kernels to what can be read and moved to other devices, such as PTX, where there is
   * such a form; {@link #load} takes that, too.
   */
  byte[] portable(String source, List<String> options);

  /** Whether {@link #load} notices by itself that what {@link #portable} has made was damaged. */
  boolean checksPortable();

  /** Loads what has been compiled. */
  long load(byte[] binary);

  /**
   * Whether the driver itself keeps what it compiles, kernel by kernel as they are launched. To ask
   * such a driver for a binary makes it compile all kernels for sizes of which none may be used.
   */
  default boolean keepsCompiled() {
    return false;
  }

  /**
   * Compiles kernels and loads them, where nobody needs what is between.
   *
   * @throws DriverException with the compiler's messages
   */
  default long compileAndLoad(String source, List<String> options) {
    return load(compile(source, options));
  }

  /** Unloads a module and its kernels. */
  void unload(long module);

  /**
   * A kernel of a module.
   *
   * @throws DriverException if it has none of that name
   */
  NativeKernel kernel(long module, String name);

  /**
   * A kernel, loaded.
   *
   * @param handle the driver's
   * @param blockThreads how many threads a thread block of it can have
   * @param sharedMemory bytes of shared memory that a thread block takes even if none is asked for
   * @param registers that a thread takes; 0 where that is not known
   */
  record NativeKernel(long handle, int blockThreads, int sharedMemory, int registers) {}

  /**
   * Puts a kernel into the queue. All sizes are positive and within the device's limits.
   *
   * @param arguments taken over when this returns
   * @param shared bytes of shared memory; -1 if the kernel does not take any
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

  /** Says that what is put into the queue from now on, up to {@link #endTiming}, is measured. */
  void beginTiming();

  /** The measurement of what has been put into the queue since {@link #beginTiming}. */
  long endTiming();

  /** What was measured; the queue has been empty since. It can be asked for once. */
  Timing timing(long timing);

  /**
   * A measured time.
   *
   * @param start when it began, on the clock of {@link System#nanoTime}, roughly
   * @param nanos how long it took
   */
  record Timing(long start, long nanos) {}

  /** Gives up everything, also after the device was lost. */
  @Override
  void close();
}
