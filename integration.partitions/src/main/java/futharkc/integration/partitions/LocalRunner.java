package futharkc.integration.partitions;

import futharkc.core.runtime.Value;
import futharkc.core.runtime.device.DeviceOptions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * An engine for the partitions of one host. Programs on CPUs run in several workers that share the
 * processors; programs on devices have one worker for each device. Workers take partitions as they
 * become idle; results do not depend on the order.
 *
 * <p>The workers of a program stay open until {@link #close}. The runner runs one job at a time.
 */
public final class LocalRunner implements AutoCloseable {
  private final int workers;
  private final Map<ProgramHandle, List<PartitionWorker>> opened = new HashMap<>();

  /**
   * Creates a runner.
   *
   * @param workers the number of workers of programs on CPUs, at least 1
   */
  public LocalRunner(int workers) {
    if (workers < 1) {
      throw new IllegalArgumentException("number of workers: " + workers);
    }
    this.workers = workers;
  }

  /** The work on one partition by one worker. */
  private interface Work {
    void run(PartitionTask task, int partition);
  }

  /**
   * Runs a map or flatMap.
   *
   * @return the resulting rows of each partition, chunk by chunk
   * @throws IllegalArgumentException if the job's types are wrong
   * @throws PartitionException if the job fails; no results are returned
   */
  public List<List<Columns>> rows(Job job, List<? extends Partition> partitions) {
    return rows(job, partitions, () -> false);
  }

  /**
   * Runs a map or flatMap that can be cancelled.
   *
   * @param cancelled tells whether to cancel the job; asked before each chunk
   * @return the resulting rows of each partition, chunk by chunk
   * @throws IllegalArgumentException if the job's types are wrong
   * @throws PartitionException if the job fails; no results are returned
   * @throws CancellationException if the job was cancelled
   */
  public synchronized List<List<Columns>> rows(
      Job job, List<? extends Partition> partitions, BooleanSupplier cancelled) {
    if (job.operation() instanceof Operation.Fold) {
      throw new IllegalArgumentException("a fold has no rows as its result");
    }
    List<List<Columns>> results = new ArrayList<>();
    for (int i = 0; i < partitions.size(); i++) {
      results.add(List.of());
    }
    run(
        new CheckedJob(job),
        partitions.size(),
        cancelled,
        (task, partition) -> {
          List<Columns> rows = task.rows(partition, partitions.get(partition));
          synchronized (results) {
            results.set(partition, rows);
          }
        });
    return results;
  }

  /**
   * Runs a fold.
   *
   * @return the value, on the host
   * @throws IllegalArgumentException if the job's types are wrong, or if there are no rows and the
   *     fold has no neutral element
   * @throws PartitionException if the job fails
   */
  public Value fold(Job job, List<? extends Partition> partitions) {
    return fold(job, partitions, () -> false);
  }

  /**
   * Runs a fold that can be cancelled.
   *
   * @param cancelled tells whether to cancel the job; asked before each chunk
   * @return the value, on the host
   * @throws IllegalArgumentException if the job's types are wrong, or if there are no rows and the
   *     fold has no neutral element
   * @throws PartitionException if the job fails
   * @throws CancellationException if the job was cancelled
   */
  public synchronized Value fold(
      Job job, List<? extends Partition> partitions, BooleanSupplier cancelled) {
    if (!(job.operation() instanceof Operation.Fold)) {
      throw new IllegalArgumentException("only a fold has a value as its result");
    }
    CheckedJob checked = new CheckedJob(job);
    NeighbourTree<Value> tree = new NeighbourTree<>(partitions.size());
    run(
        checked,
        partitions.size(),
        cancelled,
        (task, partition) -> {
          Value partial = task.partial(partition, partitions.get(partition));
          tree.add(partition, partial, task::join);
        });
    Value result = tree.result();
    if (result != null) {
      return result;
    }
    try (PartitionTask task =
        new PartitionTask(checked, workers(job.program()).getFirst(), cancelled)) {
      return task.neutral();
    }
  }

  /** A partition that a worker could not finish for reasons of its device. */
  private record Retry(int partition, int worker, PartitionException failure) {}

  private void run(CheckedJob job, int partitions, BooleanSupplier cancelled, Work work) {
    List<PartitionWorker> all = workers(job.job().program());
    AtomicInteger next = new AtomicInteger();
    AtomicBoolean stopped = new AtomicBoolean();
    AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    ConcurrentLinkedQueue<Retry> retries = new ConcurrentLinkedQueue<>();
    BooleanSupplier stop = () -> stopped.get() || cancelled.getAsBoolean();
    List<Thread> threads = new ArrayList<>();
    for (int w = 0; w < Math.min(all.size(), Math.max(1, partitions)); w++) {
      int number = w;
      threads.add(
          Thread.ofPlatform()
              .name("futhark-partitions-" + w)
              .daemon()
              .start(
                  () -> {
                    try (PartitionTask task = new PartitionTask(job, all.get(number), stop)) {
                      for (int p = next.getAndIncrement();
                          p < partitions && !stop.getAsBoolean();
                          p = next.getAndIncrement()) {
                        try {
                          work.run(task, p);
                        } catch (PartitionException e) {
                          if (!e.isRetryable() || e.partition() < 0 || all.size() < 2) {
                            throw e;
                          }
                          retries.add(new Retry(p, number, e));
                        }
                      }
                    } catch (Throwable e) {
                      if (!stopped.get() || !(e instanceof CancellationException)) {
                        failure.compareAndSet(null, e);
                      }
                      stopped.set(true);
                    }
                  }));
    }
    join(threads, stopped);
    check(failure.get());
    if (cancelled.getAsBoolean()) {
      throw new CancellationException("the job was cancelled");
    }
    for (Retry retry : retries) {
      int other = (retry.worker() + 1) % all.size();
      try (PartitionTask task = new PartitionTask(job, all.get(other), cancelled)) {
        work.run(task, retry.partition());
      } catch (RuntimeException e) {
        e.addSuppressed(retry.failure());
        throw e;
      }
    }
  }

  /** Waits for all threads. An interrupt of this thread stops them. */
  private static void join(List<Thread> threads, AtomicBoolean stopped) {
    boolean interrupted = false;
    for (Thread thread : threads) {
      while (thread.isAlive()) {
        try {
          thread.join();
        } catch (InterruptedException e) {
          interrupted = true;
          stopped.set(true);
          threads.forEach(Thread::interrupt);
        }
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
      throw new CancellationException("the job was interrupted");
    }
  }

  private static void check(@Nullable Throwable failure) {
    switch (failure) {
      case null -> {}
      case RuntimeException e -> throw e;
      case Error e -> throw e;
      default -> throw new IllegalStateException(failure);
    }
  }

  /** Returns the workers of a program, which the first call opens. */
  private List<PartitionWorker> workers(ProgramHandle handle) {
    List<PartitionWorker> known = opened.get(handle);
    if (known != null) {
      return known;
    }
    List<PartitionWorker> made = new ArrayList<>();
    opened.put(handle, made);
    try {
      List<DeviceOptions> devices = handle.deviceOptions();
      for (DeviceOptions device : devices) {
        made.add(new PartitionWorker(handle, device, 1));
      }
      if (devices.isEmpty()) {
        int threads = Math.max(1, Runtime.getRuntime().availableProcessors() / workers);
        for (int i = 0; i < workers; i++) {
          made.add(new PartitionWorker(handle, DeviceOptions.DEFAULT, threads));
        }
      }
    } catch (RuntimeException | Error e) {
      opened.remove(handle);
      made.forEach(PartitionWorker::close);
      throw e;
    }
    return made;
  }

  /** Returns the number of workers of a program: of devices, or of groups of threads. */
  public synchronized int workerCount(ProgramHandle handle) {
    return workers(handle).size();
  }

  /** Closes all programs and devices. */
  @Override
  public synchronized void close() {
    opened.values().forEach(w -> w.forEach(PartitionWorker::close));
    opened.clear();
  }
}
