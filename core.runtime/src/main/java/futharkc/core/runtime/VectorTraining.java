package futharkc.core.runtime;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * The training of the vector code of a loop: an execution that runs again and again, until the JVM
 * has compiled the code and the code is faster than the scalar code. The execution uses copies of
 * the loop's blocks, so that nothing else depends on it.
 */
public abstract class VectorTraining {
  /** The least number of iterations of a loop that serves as a model. */
  static final long ITERATIONS = 64;

  /** The time of a training, in nanoseconds, after which the loop keeps its scalar code. */
  private static final long LIMIT = 5_000_000_000L;

  /** The time in nanoseconds for which an execution repeats before it is compared. */
  private static final long WINDOW = 2_000_000;

  /** The longest execution, in nanoseconds of scalar code. */
  private static final long LONGEST = 200_000;

  /** The thread of all trainings, one after the other. */
  private static final ExecutorService TRAINER =
      Executors.newSingleThreadExecutor(
          r -> {
            Thread t = new Thread(null, r, "vector training", 64L << 20);
            t.setDaemon(true);
            return t;
          });

  private final Thread thread = Thread.currentThread();
  private final long from;
  private final long to;
  private double scalar;

  /**
   * Makes a training of an execution on this thread.
   *
   * @param from the first iteration
   * @param to the end of the iterations
   */
  protected VectorTraining(long from, long to) {
    this.from = from;
    this.to = to;
  }

  /**
   * Runs the vector code on copies.
   *
   * @param from the first iteration
   * @param to the end of the iterations
   * @return the first iteration that has not run
   */
  protected abstract long run(long from, long to);

  /** Records the time of the scalar code; returns false if another execution is the model. */
  boolean begin(long nanoseconds, long iterations) {
    if (Thread.currentThread() != thread || scalar != 0) {
      return false;
    }
    scalar = Math.max(1, nanoseconds) / (double) Math.max(1, iterations);
    return true;
  }

  /** Starts the training on its thread. */
  void start(VectorChoice choice) {
    TRAINER.execute(
        () -> {
          try {
            choice.load();
            if (isFaster()) {
              choice.choose();
            }
          } catch (ReflectiveOperationException | LinkageError | RuntimeException e) {
            // The loop keeps its scalar code.
          }
        });
  }

  /** Runs the code until it is compiled; returns true if it is faster than the scalar code. */
  private boolean isFaster() {
    long most = Math.max(ITERATIONS, (long) (LONGEST / scalar));
    long end = Math.min(to, from + most);
    long begin = System.nanoTime();
    while (System.nanoTime() - begin < LIMIT) {
      long start = System.nanoTime();
      long iterations = 0;
      do {
        iterations += run(from, end) - from;
      } while (System.nanoTime() - start < WINDOW);
      double vector = (System.nanoTime() - start) / (double) Math.max(1, iterations);
      if (vector < 0.9 * scalar) {
        return true;
      }
    }
    return false;
  }
}
