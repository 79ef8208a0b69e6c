package futharkc.harness;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BiConsumer;

/**
 * A pool of worker JVMs that run jobs. The pool replaces a worker that ends or exceeds the time
 * limit, and gives the rest of its job to the new worker.
 */
public final class WorkerPool {
  private final List<String> command;
  private final int workers;
  private final Duration limit;

  /**
   * Creates a pool. Workers start on demand.
   *
   * @param command the command that starts a worker, which runs a {@link WorkerLoop} on its
   *     standard streams
   * @param workers the number of parallel workers
   * @param limit the time limit of one unit
   */
  public WorkerPool(List<String> command, int workers, Duration limit) {
    this.command = List.copyOf(command);
    this.workers = workers;
    this.limit = limit;
  }

  /**
   * Runs all jobs. Every unit of every job gets one outcome.
   *
   * @param outcomes the consumer of each job and outcome, called by one thread at a time
   * @throws UncheckedIOException if no worker can be started
   */
  public void run(List<Job> jobs, BiConsumer<Job, Outcome> outcomes) throws InterruptedException {
    Queue<Job> queue = new ConcurrentLinkedQueue<>(jobs);
    BiConsumer<Job, Outcome> oneAtATime =
        (job, outcome) -> {
          synchronized (queue) {
            outcomes.accept(job, outcome);
          }
        };
    int n = Math.min(workers, jobs.size());
    Thread[] threads = new Thread[n];
    Failure failure = new Failure();
    for (int i = 0; i < n; i++) {
      threads[i] =
          Thread.ofPlatform().name("worker-" + i).unstarted(() -> serve(queue, oneAtATime));
      threads[i].setUncaughtExceptionHandler((t, e) -> failure.add(e));
      threads[i].start();
    }
    try {
      for (Thread thread : threads) {
        thread.join();
      }
    } catch (InterruptedException e) {
      for (Thread thread : threads) {
        thread.interrupt();
      }
      throw e;
    }
    failure.rethrow();
  }

  private void serve(Queue<Job> queue, BiConsumer<Job, Outcome> outcomes) {
    WorkerProcess worker = null;
    try {
      for (Job job = queue.poll(); job != null; job = queue.poll()) {
        Job rest = job;
        while (!rest.units().isEmpty()) {
          if (worker == null || !worker.isUsable()) {
            worker = new WorkerProcess(command);
          }
          Job whole = job;
          Set<String> finished = worker.run(rest, limit, o -> outcomes.accept(whole, o));
          if (finished.isEmpty() && worker.isUsable()) {
            throw new IllegalStateException("a worker finished no unit of " + job);
          }
          if (worker.isUsable() && !finished.containsAll(rest.units())) {
            // The runner aborted the job and failed one unit; the remaining units fail too.
            Job missing = rest.without(finished);
            for (String unit : missing.units()) {
              outcomes.accept(job, Outcome.failed(unit, "not run: the job ended early"));
            }
            break;
          }
          rest = rest.without(finished);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot start a worker: " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      if (worker != null) {
        worker.close();
      }
    }
  }

  /** The first of several threads' failures. */
  private static final class Failure {
    private @org.jspecify.annotations.Nullable Throwable first;

    synchronized void add(Throwable t) {
      if (first == null) {
        first = t;
      } else {
        first.addSuppressed(t);
      }
    }

    synchronized void rethrow() {
      switch (first) {
        case null -> {}
        case RuntimeException e -> throw e;
        case Error e -> throw e;
        case Throwable t -> throw new IllegalStateException(t);
      }
    }
  }
}
