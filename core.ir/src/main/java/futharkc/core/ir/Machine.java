package futharkc.core.ir;

import org.jspecify.annotations.Nullable;

/**
 * A machine for which programs are compiled: a processor with the run-time system of programs, and
 * possibly a device. The numbers describe the machine; thresholds of passes are options of the
 * passes. The numbers affect the speed of programs and never their results. The measurements behind
 * the numbers are in {@code docs/results}.
 *
 * <p>A backend gives the machine of each of its targets. The sizes of a device that differ between
 * models, such as the number of multiprocessors and the bytes of shared memory, are not here: the
 * program reads them from the device when it starts, as {@link SizeClass} says.
 *
 * @param operations the costs of operations
 * @param events the costs of events in the run-time system
 * @param bounds upper bounds on the costs of statements
 * @param processor the caches of the processor
 * @param runTime the run-time system of parallel regions and memory
 * @param methods the limits of methods and classes on the JVM
 * @param attached the device of the machine; null if the machine has no device
 */
public record Machine(
    Operations operations,
    Events events,
    Bounds bounds,
    Processor processor,
    RunTime runTime,
    Methods methods,
    @Nullable Device attached) {

  /**
   * Costs in elementary operations. An elementary operation is an addition of numbers in registers.
   * The costs are rounded instruction latencies, suitable for comparisons but not for predicting
   * times.
   *
   * @param power a power or remainder of floats: a library call
   * @param division an integer division, which has no vector form
   * @param floatDivision a float division
   * @param function a transcendental function
   * @param shortFunction a function of one or a few instructions
   * @param load a load of an element from a near cache
   * @param branch a mispredicted branch
   * @param loop the entry and exit of a loop
   */
  public record Operations(
      int power,
      int division,
      int floatDivision,
      int function,
      int shortFunction,
      int load,
      int branch,
      int loop) {}

  /**
   * Costs of events in the run-time system, in elementary operations.
   *
   * @param call a call of a function, including inlining that the JVM forgoes
   * @param block an allocation or release of a memory block, or a print
   * @param run the start of a copy or fill of consecutive elements
   * @param lock an uncontended lock
   */
  public record Events(int call, int block, int run, int lock) {}

  /**
   * Upper bounds on the costs of statements, in elementary operations. {@link Operations} and
   * {@link Events} have the usual costs.
   *
   * @param function an expression that calls a library function
   * @param lock an acquisition and release of a lock
   * @param trace a print of a value
   * @param count a query of the chunk count or of a region's duration
   * @param launch a kernel launch
   * @param command any other command to a device
   * @param blocks the bounds for statements on memory blocks
   */
  public record Bounds(
      int function, int lock, int trace, int count, int launch, int command, BlockBounds blocks) {}

  /**
   * Upper bounds on the costs of statements on memory blocks, in elementary operations.
   *
   * @param alloc an allocation of a cleared block
   * @param free a release of a block
   * @param pin a retention of a block
   */
  public record BlockBounds(int alloc, int free, int pin) {}

  /**
   * The caches of a processor.
   *
   * @param line the bytes of a cache line
   * @param fetched the bytes around an access that a core fetches: a line and its adjacent line.
   *     Cores that write to the same such bytes wait for each other
   * @param firstLevel the bytes of a core's first-level cache
   */
  public record Processor(int line, int fetched, int firstLevel) {}

  /**
   * The run-time system of parallel regions and memory.
   *
   * @param chunkOperations the elementary operations that justify a chunk
   * @param cachedElements the elements of a scan's chunk that stay in the second-level cache
   *     between its two passes
   * @param sharingOperations the elementary operations equal to the overhead of one more thread in
   *     a region
   * @param smallestKept the size in bytes below which freed blocks are left to the garbage
   *     collector; equal to the run-time system's {@code Memory.SMALLEST_KEPT}
   */
  public record RunTime(
      long chunkOperations, long cachedElements, long sharingOperations, int smallestKept) {}

  /**
   * Limits of methods and classes. Sizes of code are upper estimates in bytes of bytecode. The JVM
   * optimises a method as a whole, in time that grows faster than its size, and does not compile
   * methods above 8000 bytes.
   *
   * @param limit the size above which a method is split; the class file format allows 65,535
   * @param part the maximum size of each method that results from a split
   * @param partsPerClass the number of split-off methods per class
   * @param classSize the source length in characters at which a new class begins; the class file
   *     format allows 65,535 constants per class
   * @param arguments the maximum number of parameters; the class file format allows 255, and longs
   *     count twice
   * @param smallArray the maximum length of a constant array that is emitted as an initialiser;
   *     longer ones are emitted as text
   * @param literal the maximum length of a string literal in characters; the class file format
   *     allows 65,535 bytes, at most three per character
   * @param value the size of adding a value to a list
   */
  public record Methods(
      int limit,
      int part,
      int partsPerClass,
      int classSize,
      int arguments,
      int smallArray,
      int literal,
      int value) {}

  /**
   * A device with multiprocessors.
   *
   * @param warp the threads that execute in step and should access neighbouring elements: 32 on
   *     NVIDIA devices, half of AMD's wavefronts
   * @param shuffled the number of neighbouring threads that exchange values without shared memory,
   *     a power of two up to 32; 1 for none
   * @param progress true if a running thread block makes progress while other thread blocks wait
   *     for it, which single-pass scans require
   * @param threads the threads of a multiprocessor
   * @param memory the memory accesses
   * @param compiler the compiler of kernels
   */
  public record Device(
      int warp,
      int shuffled,
      boolean progress,
      DeviceThreads threads,
      DeviceMemory memory,
      KernelCompiler compiler) {
    public Device {
      if (Integer.bitCount(shuffled) != 1 || shuffled > 32) {
        throw new IllegalArgumentException(
            "the number of shuffled threads is " + shuffled + ", not a power of two up to 32");
      }
    }
  }

  /**
   * The threads of a multiprocessor.
   *
   * @param perBlock the maximum number of threads per block, a power of two
   * @param resident the threads that a multiprocessor holds at a time if each has 32 registers
   */
  public record DeviceThreads(int perBlock, int resident) {}

  /**
   * The memory accesses of a device, in bytes.
   *
   * @param access the maximum bytes of a scalar that a thread accesses at once
   * @param vector the maximum bytes of adjacent elements that a thread accesses at once
   * @param sector the bytes that device memory transfers at once
   * @param bank the bytes of a bank of shared memory, which serves one thread at a time
   * @param banks the bytes of all banks, a power of two
   */
  public record DeviceMemory(int access, int vector, int sector, int bank, int banks) {}

  /**
   * The compiler of kernels.
   *
   * @param unrolled the trip count above which the compiler does not unroll a loop
   * @param moduleText the approximate characters of kernel source that are compiled together
   * @param functionText the characters from which a function is called instead of inlined, to limit
   *     compile time
   */
  public record KernelCompiler(int unrolled, int moduleText, int functionText) {}

  /**
   * Returns the device.
   *
   * @throws IllegalStateException if the machine has no device
   */
  public Device device() {
    if (attached == null) {
      throw new IllegalStateException("the machine has no device");
    }
    return attached;
  }

  /** Returns this machine with a device. */
  public Machine with(Device device) {
    return new Machine(operations, events, bounds, processor, runTime, methods, device);
  }
}
