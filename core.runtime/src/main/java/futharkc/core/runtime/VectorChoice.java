package futharkc.core.runtime;

import org.jspecify.annotations.Nullable;

/**
 * The choice between the vector code and the scalar code of a loop. Vector code is many times
 * slower than scalar code until the JVM has compiled it. So a loop runs its scalar code first. Once
 * that has taken long enough to make up for a compilation, a thread of its own runs the vector code
 * on copies of the loop's blocks, until the vector code is faster than the scalar code. From then
 * on, the loop runs its vector code. If the vector code does not become faster, the loop keeps its
 * scalar code.
 */
public final class VectorChoice {
  /**
   * The system property that allows vector code: {@code true} if the JVM was started with support
   * of {@code jdk.incubator.vector}; {@code always} for tests, if all loops run vector code from
   * the start.
   */
  public static final String PROPERTY = "futharkc.vectors";

  /**
   * The system property with the scalar time of a loop, in milliseconds over all threads, before
   * its training.
   */
  public static final String AFTER = "futharkc.vectors.after";

  /** The size in bytes of the largest blocks that are copied. */
  private static final long LARGEST = 32L << 20;

  /** The time of a loop in nanoseconds below which one execution in 16 is measured. */
  private static final long SHORT = 4_000;

  private static final int SKIPPED = 15;

  private final Class<?> owner;
  private final String vectors;

  private final long trainAfter = Long.getLong(AFTER, 1000) * 1_000_000;
  private boolean isVector = "always".equals(System.getProperty(PROPERTY));
  private boolean isOpen = Boolean.getBoolean(PROPERTY);
  private int executions;
  private int skipped;
  private long time;
  private @Nullable VectorTraining training;

  /**
   * Makes an open choice.
   *
   * @param owner a class in the package of the vector code
   * @param vectors the simple name of the class with the vector code
   */
  public VectorChoice(Class<?> owner, String vectors) {
    this.owner = owner;
    this.vectors = vectors;
    if (isVector) {
      try {
        load();
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  /** Tests whether the loop runs its vector code. */
  public boolean isVector() {
    return isVector;
  }

  /** Tests whether the time of this execution of the scalar code is measured. */
  public boolean isMeasured() {
    return isOpen && (++executions & skipped) == 0;
  }

  /**
   * Tests whether this execution shall be the model of the training; {@link #train} follows.
   *
   * @param iterations the number of iterations
   * @param bytes the size of the blocks that the loop uses
   */
  public boolean trains(long iterations, long bytes) {
    if (time < trainAfter || iterations < VectorTraining.ITERATIONS) {
      return false;
    }
    synchronized (this) {
      boolean trains = isOpen && training == null && bytes <= LARGEST;
      isOpen &= bytes <= LARGEST;
      return trains;
    }
  }

  /** Starts the training as soon as the scalar code has run. */
  public synchronized void train(VectorTraining model) {
    if (training == null) {
      training = model;
    }
  }

  /**
   * Records the time of an execution of the scalar code.
   *
   * @param nanoseconds the time
   * @param iterations the number of iterations
   */
  public void scalar(long nanoseconds, long iterations) {
    VectorTraining model = training;
    if (model != null && model.begin(nanoseconds, iterations)) {
      isOpen = false;
      model.start(this);
    }
    skipped = nanoseconds < SHORT ? SKIPPED : 0;
    // Threads may overwrite each other's sums; the sum is an estimate.
    time += nanoseconds * (skipped + 1);
  }

  /** Loads the classes of the vector code. */
  void load() throws ReflectiveOperationException {
    VectorModule.load();
    Class.forName(owner.getPackageName() + "." + vectors, true, owner.getClassLoader());
  }

  /** Chooses the vector code. */
  void choose() {
    isVector = true;
  }
}
