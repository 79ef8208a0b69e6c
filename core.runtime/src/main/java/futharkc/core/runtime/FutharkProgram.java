package futharkc.core.runtime;

import org.jspecify.annotations.Nullable;

/**
 * A compiled program. Generated code extends this class and has a constructor without parameters.
 *
 * <p>A program has state, the values of its top-level constants, and so belongs to one {@link
 * Context}.
 */
public abstract class FutharkProgram {
  private static final TuningParameter[] NO_TUNING_PARAMETERS = {};

  /** Creates the program; called by generated code. */
  protected FutharkProgram() {}

  /** Returns the program's name: that of its source file without folder and extension. */
  public abstract String name();

  /** Returns the backend that compiled the program, such as {@code multicore} or {@code c}. */
  public abstract String backend();

  /** Returns the entry points, in the order of the source. */
  public abstract EntryPoint[] entryPoints();

  /** Returns the tuning parameters; {@link Context#tuning} takes positions in this array. */
  public TuningParameter[] tuningParameters() {
    return NO_TUNING_PARAMETERS;
  }

  /**
   * Opens the default device for the program's kernels; returns null if the program has no kernels.
   *
   * @throws FutharkError if there is no device
   */
  protected @Nullable Accelerator openAccelerator() {
    return null;
  }

  /**
   * Computes top-level constants and other state before the first call. The context calls this
   * method once on its worker threads, and again whenever the device has lost its contents. Blocks
   * that may become part of a result must be {@linkplain Memory#pin pinned}.
   *
   * @param ctx the context
   * @throws FutharkError for a run-time error of the program
   */
  public void initialise(Context ctx) {}

  /** Releases the resources of {@link #initialise}; called when the context is closed. */
  public void close() {}

  /**
   * A parameter that users can set for each run, without compiling again.
   *
   * @param name the name, such as {@code main.suff_outer_par_0}
   * @param paramClass the class, such as {@code threshold(256, )}
   * @param defaultValue the value if the parameter is not set or 0; if this is 0, the device's
   *     default for the class
   */
  public record TuningParameter(String name, String paramClass, long defaultValue) {}
}
