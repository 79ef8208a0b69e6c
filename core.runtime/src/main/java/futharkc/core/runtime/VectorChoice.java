package futharkc.core.runtime;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The choice between the vector code and the scalar code of a loop. Loops start with scalar code.
 * While a loop runs, groups of its iterations run in vector code, which the JVM compiles after some
 * thousand operations and which is slow before. The groups take at most a few hundredths of the
 * loop's time. Once vector code is faster, the choice is final; if it does not become faster, the
 * loop keeps its scalar code.
 */
public final class VectorChoice {
  /**
   * The system property that allows vector code: {@code true} if the JVM was started with support
   * of {@code jdk.incubator.vector}.
   */
  public static final String PROPERTY = "futharkc.vectors";

  /** The scalar time of a loop after which its vector classes are loaded, in nanoseconds. */
  private static final long LOAD_AFTER = 200_000_000;

  /** The part of the loop's time for vector code until the choice, as a divisor. */
  private static final long PART = 33;

  /** The time of vector code after which the loop keeps its scalar code, in nanoseconds. */
  private static final long GIVE_UP_AFTER = 4_000_000_000L;

  /** The vector time between two comparisons, in nanoseconds. */
  private static final long WINDOW = 200_000;

  /** The time of an execution below which few executions are measured, in nanoseconds. */
  private static final long SHORT = 4_000;

  /** The scalar time in which the speed of scalar code is measured, in nanoseconds. */
  private static final long SCALAR_WINDOW = 50_000_000;

  private final Class<?> owner;
  private final String vectors;
  private final AtomicBoolean sampling = new AtomicBoolean();

  private boolean isVector;
  private volatile boolean isOpen = Boolean.getBoolean(PROPERTY);
  private volatile boolean isLoaded;
  private boolean loads;
  private int executions;
  private int skipped;

  private long scalarTime;
  private long recentScalarTime;
  private long recentScalarIterations;
  private long vectorTime;
  private long recentVectorTime;
  private long recentVectorIterations;
  private long sampleStart;

  /**
   * Makes an open choice.
   *
   * @param owner a class in the package of the vector code
   * @param vectors the simple name of the class with the vector code
   */
  public VectorChoice(Class<?> owner, String vectors) {
    this.owner = owner;
    this.vectors = vectors;
  }

  /** Tests whether vector code runs all whole groups. */
  public boolean isVector() {
    return isVector;
  }

  /** Tests whether this execution of the loop is measured. */
  public boolean isMeasured() {
    return isOpen && (++executions & skipped) == 0;
  }

  /**
   * Returns the end of the iterations of this execution that run in vector code: {@code from} if
   * there are none. Otherwise, {@link #sampled} follows.
   */
  public long sample(long from, long to) {
    if (!isLoaded || !sampling.compareAndSet(false, true)) {
      return from;
    }
    long iterations = allowed();
    if (iterations == 0) {
      sampling.set(false);
      return from;
    }
    sampleStart = System.nanoTime();
    return Math.min(to, from + iterations);
  }

  /** Returns the number of iterations that may run in vector code now. */
  private synchronized long allowed() {
    long budget = scalarTime / PART - vectorTime;
    if (budget <= 0 || !isOpen) {
      return 0;
    }
    double each =
        vectorTime == 0 ? Double.MAX_VALUE : (double) recentVectorTime / recentVectorIterations;
    return Math.clamp((long) (budget / each), GROUP, 64 * GROUP) / GROUP * GROUP;
  }

  /** The number of iterations of the largest group. */
  private static final long GROUP = 16;

  /** Records that iterations have run in vector code since {@link #sample}. */
  public void sampled(long iterations) {
    long time = System.nanoTime() - sampleStart;
    synchronized (this) {
      vectorTime += time;
      recentVectorTime += time;
      recentVectorIterations += Math.max(1, iterations);
      if (recentVectorTime >= WINDOW && iterations > 0) {
        double vector = (double) recentVectorTime / recentVectorIterations;
        double scalar = (double) recentScalarTime / Math.max(1, recentScalarIterations);
        if (vector < 0.9 * scalar) {
          isVector = true;
          isOpen = false;
        } else if (vectorTime > GIVE_UP_AFTER) {
          isOpen = false;
        }
        recentVectorTime = time;
        recentVectorIterations = iterations;
      }
    }
    sampling.set(false);
  }

  /**
   * Records that iterations have run in scalar code.
   *
   * @param time the time in nanoseconds
   */
  public synchronized void scalar(long time, long iterations) {
    skipped = time < SHORT ? 15 : 0;
    scalarTime += time * (skipped + 1);
    recentScalarTime += time;
    recentScalarIterations += iterations;
    if (recentScalarTime > SCALAR_WINDOW) {
      recentScalarTime /= 2;
      recentScalarIterations /= 2;
    }
    if (scalarTime > LOAD_AFTER && !loads && isOpen) {
      loads = true;
      Thread.ofPlatform().daemon().name("vector classes").start(this::load);
    }
  }

  private void load() {
    try {
      VectorModule.load();
      Class.forName(owner.getPackageName() + "." + vectors, true, owner.getClassLoader());
      isLoaded = true;
    } catch (ReflectiveOperationException | LinkageError | RuntimeException e) {
      isOpen = false;
    }
  }
}
