package futharkc.integration.spark;

import futharkc.core.runtime.Value;
import futharkc.core.runtime.ValueType;
import futharkc.integration.partitions.CheckedJob;
import futharkc.integration.partitions.Columns;
import futharkc.integration.partitions.NeighbourTree;
import futharkc.integration.partitions.PartitionException;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Supplier;
import org.apache.spark.TaskContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.util.TaskCompletionListener;
import org.jspecify.annotations.Nullable;

/** A job in the JVM of an executor: its program, and its functions on partitions. */
final class ReceivedJob {
  /** The most jobs that a JVM keeps decoded. */
  private static final int KEPT = 4;

  /** The last jobs, the oldest first. */
  private static final ConcurrentNavigableMap<Long, ReceivedJob> ALL =
      new ConcurrentSkipListMap<>();

  private final long id;
  private final SentJob sent;
  private final CheckedJob checked;

  private ReceivedJob(long id, byte[] bytes) {
    this.id = id;
    sent = SerializedForm.read(bytes, SentJob.class);
    checked = sent.checked();
  }

  /**
   * Returns a job, which the first call decodes.
   *
   * @param broadcast the serialised {@link SentJob}
   */
  static ReceivedJob of(Broadcast<byte[]> broadcast) {
    ReceivedJob job =
        ALL.computeIfAbsent(broadcast.id(), id -> new ReceivedJob(id, broadcast.value()));
    while (ALL.size() > KEPT) {
      ALL.pollFirstEntry();
    }
    return job;
  }

  private ExecutorWorkers.Use acquire() {
    TaskContext context = TaskContext.get();
    ExecutorWorkers.Use use =
        ExecutorWorkers.of(sent.program()).acquire(context, id, checked, sent.resource());
    context.addTaskCompletionListener((TaskCompletionListener) ended -> use.close());
    return use;
  }

  private Iterator<Columns> batches(Iterator<?> rows) {
    return new Batches<>(rows, sent.types(), sent.batchRows());
  }

  /** Returns the rows of a map or flatMap on a partition. */
  Iterator<InternalRow> rows(int partition, Iterator<?> rows) {
    ExecutorWorkers.Use use = acquire();
    Iterator<Columns> results = use.task().stream(partition, () -> batches(rows));
    Iterator<Columns> watched =
        new Iterator<>() {
          @Override
          public boolean hasNext() {
            return attempt(use, results::hasNext);
          }

          @Override
          public Columns next() {
            return results.next();
          }
        };
    return new ResultRows(watched, sent.result(), use::close);
  }

  /** Returns the encoded partial result of a partition, or the program's error. */
  Outcome partial(int partition, Iterator<?> rows) {
    try (ExecutorWorkers.Use use = acquire()) {
      Value partial = attempt(use, () -> use.task().partial(partition, () -> batches(rows)));
      return Outcome.of(partial == null ? null : EncodedValues.encode(List.of(partial)));
    } catch (PartitionException e) {
      return failure(e);
    }
  }

  /** Returns a failure that would be the same elsewhere, and throws others, for Spark to retry. */
  private static Outcome failure(PartitionException e) {
    if (e.isRetryable()) {
      throw e;
    }
    return Outcome.failed(e);
  }

  /**
   * Joins the partial results of all partitions through a tree of neighbours.
   *
   * @param partials the encoded results in the order of partitions; null for a partition without
   *     rows
   * @return the encoded result
   */
  Outcome join(byte[] @Nullable [] partials) {
    List<ValueType> type = List.of(checked.entry().result());
    try (ExecutorWorkers.Use use = acquire()) {
      NeighbourTree<Value> tree = new NeighbourTree<>(partials.length);
      for (int i = 0; i < partials.length; i++) {
        byte[] bytes = partials[i];
        tree.add(
            i,
            bytes == null ? null : EncodedValues.decode(bytes, type).get(0),
            (left, right) -> attempt(use, () -> use.task().join(left, right)));
      }
      Value result = tree.result();
      return Outcome.of(
          EncodedValues.encode(List.of(result == null ? use.task().neutral() : result)));
    } catch (PartitionException e) {
      return failure(e);
    }
  }

  /** Runs a step. A worker that lost its device or lacks memory is not used for a further task. */
  private static <R> R attempt(ExecutorWorkers.Use use, Supplier<R> step) {
    try {
      return step.get();
    } catch (PartitionException e) {
      if (e.isRetryable()) {
        use.discard();
      }
      throw e;
    }
  }
}
