package futharkc.core.runtime;

import org.jspecify.annotations.Nullable;

/**
 * A compiled program. Generated code extends this class, with a constructor without parameters.
 *
 * <p>An instance may hold state (the values of top-level constants), and so belongs to one {@link
 * Context}.
 */
public abstract class FutharkProgram {
  private static final TuningParameter[] NO_TUNING_PARAMETERS = {};

  /** For generated code. */
  protected FutharkProgram() {}

  /** The program's name: that of its source file without folder and extension. */
  public abstract String name();

  /** The backend that it was compiled with, such as {@code multicore} or {@code c}. */
  public abstract String backend();

  /** The entry points, in the order of the source. */
  public abstract EntryPoint[] entryPoints();

  /** The tuning parameters; {@link Context#tuning} takes positions in this array. */
  public TuningParameter[] tuningParameters() {
    return NO_TUNING_PARAMETERS;
  }

  /**
   * Opens the device that the program's kernels run on, if it has any: that of the default
   * settings.
   *
   * @throws FutharkError if there is none
   */
  protected @Nullable Accelerator openAccelerator() {
    return null;
  }

  /**
   * Computes what has to be there before the first call, such as top-level constants. Called once,
   * on the context's worker threads, and again whenever the device has lost its contents. Blocks
   * that stay in use have to be {@linkplain Memory#pin pinned} if a result may alias them.
   *
   * @throws FutharkError for a run-time error of the program
   */
  public void initialise(Context ctx) {}

  /** Gives up what {@link #initialise} took, when the context is closed. */
  public void close() {}

  /**
   * A parameter that can be set for each run without compiling again.
   *
   * @param name its name, such as {@code main.suff_outer_par_0}
   * @param paramClass its class, such as {@code threshold(256, )}
   * @param defaultValue its value if nobody sets it, or sets it to 0; 0 for the one that the
   *     program's device has for the class
   */
  public record TuningParameter(String name, String paramClass, long defaultValue) {}
}
