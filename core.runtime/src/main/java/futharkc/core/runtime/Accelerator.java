package futharkc.core.runtime;

/**
 * What a {@link Context} has to know of the device that its program runs kernels on; the program
 * itself knows more. Its work is asynchronous: errors of kernels show at {@link #synchronise}.
 */
public interface Accelerator extends ValueSpace, AutoCloseable {
  /**
   * Waits until all work is done.
   *
   * @throws FutharkError if a kernel failed
   */
  void synchronise();

  /** Hands what has been measured so far, of work that is done, to a profile. */
  void report(Profile profile);

  /** Who may use it: programs that share it take turns, call by call. */
  CallQueue queue();

  /** Starts or stops measuring. */
  void profiling(boolean on);

  /**
   * How often the device had to be opened again because a kernel left it unusable: whatever a
   * program has put there is gone whenever this changes.
   */
  int resets();

  /** The value of a tuning parameter of a class if nobody sets it; 0 if there is none. */
  long tuningDefault(String paramClass);

  /** The largest value of a tuning parameter of a class. */
  long tuningMaximum(String paramClass);

  /** How much memory was used. */
  MemoryUse memoryUse();

  /** Lets the peak of {@link #memoryUse} start again from what is in use now. */
  void resetPeak();

  /** Returns the blocks that are kept for later to the device's driver. */
  void trim();

  /** Gives the device up; values on it are gone. */
  @Override
  void close();
}
