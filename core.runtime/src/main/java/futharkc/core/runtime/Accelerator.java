package futharkc.core.runtime;

import org.jspecify.annotations.Nullable;

/**
 * The device on which the program of a {@link Context} runs kernels. Kernels run asynchronously:
 * {@link #synchronise} reports their errors.
 */
public interface Accelerator extends ValueSpace, AutoCloseable {
  /**
   * Waits until the device has finished all work.
   *
   * @throws FutharkError if a kernel failed
   */
  void synchronise();

  /** Adds the measurements of finished work to a profile. */
  void report(Profile profile);

  /** Returns the queue of calls. Programs that share the device take turns, call by call. */
  CallQueue queue();

  /** Starts or stops measurements. */
  void profiling(boolean on);

  /**
   * Returns how many times the device was opened again after a kernel had made it unusable. All
   * values on the device are lost whenever this number increases.
   */
  int resets();

  /** Returns the default of tuning parameters of a class; 0 if the class has none. */
  long tuningDefault(String paramClass);

  /** Returns the largest value of tuning parameters of a class. */
  long tuningMaximum(String paramClass);

  /** Returns the operations on this device since its opening, of all programs. */
  DeviceActivity activity();

  /** Returns the memory use. */
  MemoryUse memoryUse();

  /** Resets the peak of {@link #memoryUse} to the current use. */
  void resetPeak();

  /** Returns a note for the user of the program about this device; null for none. */
  @Nullable String note();

  /** Returns recycled blocks to the device's driver. */
  void trim();

  /** Closes the device; all values on it are lost. */
  @Override
  void close();
}
