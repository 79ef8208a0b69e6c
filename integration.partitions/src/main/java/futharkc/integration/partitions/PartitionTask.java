package futharkc.integration.partitions;

import futharkc.core.runtime.ArrayValue;
import futharkc.core.runtime.FutharkError;
import futharkc.core.runtime.Value;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The work of a job on one worker. An engine calls {@link #rows} or {@link #partial} for each
 * partition.
 *
 * <p>A chunk that fails for lack of memory or a lost device is tried once more in two halves.
 */
public final class PartitionTask implements AutoCloseable {
  private final CheckedJob checked;
  private final Job job;
  private final PartitionWorker worker;
  private final BooleanSupplier cancelled;
  private List<Value> shared;

  /**
   * Prepares the job: copies the shared arguments to the device.
   *
   * @param cancelled tells whether the job has been cancelled; asked before each chunk
   */
  public PartitionTask(CheckedJob checked, PartitionWorker worker, BooleanSupplier cancelled) {
    this.checked = checked;
    this.job = checked.job();
    this.worker = worker;
    this.cancelled = cancelled;
    shared = worker.adopt(job.shared());
  }

  /**
   * Runs a map or flatMap on a partition.
   *
   * @param partition the number of the partition
   * @return the resulting rows, chunk by chunk
   * @throws PartitionException if a call fails, or rows or nulls are wrong
   * @throws CancellationException if the job was cancelled
   */
  public List<Columns> rows(int partition, Partition data) {
    List<Columns> results = new ArrayList<>();
    stream(partition, data).forEachRemaining(results::add);
    return results;
  }

  /**
   * Runs a map or flatMap on a partition, one chunk for each step of the iterator. The iterator's
   * methods fail as {@link #rows} does.
   *
   * @param partition the number of the partition
   * @return the resulting rows, chunk by chunk
   */
  public Iterator<Columns> stream(int partition, Partition data) {
    Cursor cursor = new Cursor(partition, data);
    Deque<Columns> ready = new ArrayDeque<>();
    return new Iterator<>() {
      @Override
      public boolean hasNext() {
        while (ready.isEmpty()) {
          if (!cursor.step(chunk -> ready.add(result(chunk)))) {
            return false;
          }
        }
        return true;
      }

      @Override
      public Columns next() {
        if (!hasNext()) {
          throw new NoSuchElementException();
        }
        return ready.remove();
      }
    };
  }

  /**
   * Runs a fold on a partition.
   *
   * @param partition the number of the partition
   * @return the partial result; null if the partition has no rows
   * @throws PartitionException if a call fails, or nulls are wrong
   * @throws CancellationException if the job was cancelled
   */
  public @Nullable Value partial(int partition, Partition data) {
    Operation.Fold fold = (Operation.Fold) job.operation();
    Partials partials = new Partials();
    Cursor cursor = new Cursor(partition, data);
    boolean more;
    do {
      more = cursor.step(chunk -> partials.add(worker.call(fold.part(), arguments(chunk))));
    } while (more);
    return partials.result();
  }

  /**
   * Joins the partial results of neighbours.
   *
   * @throws PartitionException if the call fails
   */
  public Value join(Value left, Value right) {
    Operation.Fold fold = (Operation.Fold) job.operation();
    try {
      return worker.call(fold.join(), left, right);
    } catch (FutharkError e) {
      throw new PartitionException(checked.programName(), fold.join(), -1, -1, e);
    }
  }

  /**
   * Returns the result of a fold of no rows.
   *
   * @throws IllegalArgumentException if the fold has no neutral element
   */
  public Value neutral() {
    Operation.Fold fold = (Operation.Fold) job.operation();
    String neutral = fold.neutral();
    if (neutral == null) {
      throw new IllegalArgumentException(
          "The job has no rows, and its fold has no neutral element: name an entry point for it.");
    }
    return worker.call(neutral);
  }

  /** Partial results of chunks, joined in order through a tree of neighbours. */
  private final class Partials {
    private final List<Value> values = new ArrayList<>();
    private final List<Integer> sizes = new ArrayList<>();

    void add(Value value) {
      values.add(value);
      sizes.add(1);
      while (sizes.size() > 1 && sizes.getLast().equals(sizes.get(sizes.size() - 2))) {
        joinLast();
      }
    }

    private void joinLast() {
      Value right = values.removeLast();
      Value left = values.removeLast();
      values.add(join(left, right));
      sizes.add(sizes.removeLast() + sizes.removeLast());
    }

    @Nullable Value result() {
      while (values.size() > 1) {
        joinLast();
      }
      return values.isEmpty() ? null : values.getFirst();
    }
  }

  /** A position among the chunks of a partition. */
  private final class Cursor {
    private final int partition;
    private final Partition data;
    private @Nullable Iterator<Columns> batches;
    private @Nullable Columns batch;

    /** The number of the next chunk in the partition. */
    private long number;

    /** The number of the batch's first row in the partition. */
    private long firstRow;

    /** The next row of the batch. */
    private long from;

    Cursor(int partition, Partition data) {
      this.partition = partition;
      this.data = data;
    }

    /**
     * Works on the next chunk, if there is one.
     *
     * @return false if the partition has no further chunk
     */
    boolean step(Consumer<Columns> work) {
      try {
        Columns current = current();
        if (current == null) {
          return false;
        }
        if (cancelled.getAsBoolean() || Thread.currentThread().isInterrupted()) {
          throw new CancellationException("the job was cancelled");
        }
        long rows = job.chunks().rowsOf(current.rowBytes());
        long to = from + Math.min(rows, current.rows() - from);
        attempt(job.nulls().applyTo(current.slice(from, to), firstRow + from), work);
        from = to;
        number++;
        return true;
      } catch (FutharkError | IllegalArgumentException e) {
        if (cancelled.getAsBoolean()) {
          throw new CancellationException("the job was cancelled");
        }
        throw new PartitionException(
            checked.programName(), checked.entry().name(), partition, number, e);
      }
    }

    /** Returns the batch of the next row; null at the end. */
    private @Nullable Columns current() {
      if (batches == null) {
        batches = data.batches();
      }
      while (batch == null || from == batch.rows()) {
        if (batch != null) {
          firstRow += batch.rows();
          batch = null;
        }
        if (!batches.hasNext()) {
          return null;
        }
        Columns next = batches.next();
        checkTypes(next);
        batch = next;
        from = 0;
      }
      return batch;
    }
  }

  private void attempt(Columns chunk, Consumer<Columns> work) {
    try {
      work.accept(chunk);
    } catch (FutharkError e) {
      if (e.kind() == FutharkError.Kind.DEVICE) {
        shared = worker.adopt(job.shared());
      }
      boolean smaller =
          e.kind() == FutharkError.Kind.DEVICE || e.kind() == FutharkError.Kind.MEMORY;
      if (!smaller || chunk.rows() < 2) {
        throw e;
      }
      work.accept(chunk.slice(0, chunk.rows() / 2));
      work.accept(chunk.slice(chunk.rows() / 2, chunk.rows()));
    }
  }

  private void checkTypes(Columns batch) {
    List<String> types =
        batch.columns().stream()
            .map(c -> "[]".repeat(c.values().rank()) + c.values().elemType().text())
            .toList();
    if (!types.equals(job.columns())) {
      throw new IllegalArgumentException(
          "a batch has columns of types " + types + ", but the job's are " + job.columns());
    }
  }

  private Value[] arguments(Columns chunk) {
    List<Value> all = new ArrayList<>(shared);
    chunk.columns().forEach(c -> all.add(c.values()));
    return all.toArray(new Value[0]);
  }

  private Columns result(Columns chunk) {
    List<ArrayValue> arrays =
        PartitionWorker.arrays(worker.call(checked.entry().name(), arguments(chunk)));
    long rows = arrays.getFirst().shape()[0];
    if (job.operation() instanceof Operation.Map && rows != chunk.rows()) {
      throw new IllegalArgumentException(
          "the entry point returned " + rows + " rows for " + chunk.rows() + " rows");
    }
    return Columns.of(arrays.toArray(new ArrayValue[0]));
  }

  /** Releases the shared arguments. */
  @Override
  public void close() {
    worker.release(shared);
  }
}
