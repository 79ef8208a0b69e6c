package futharkc.integration.spark;

import futharkc.integration.partitions.PartitionException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.spark.SimpleFutureAction;
import org.apache.spark.SparkException;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.rdd.RDD;
import org.jspecify.annotations.Nullable;
import scala.Function0;
import scala.Function2;
import scala.Option;
import scala.collection.immutable.Seq;
import scala.concurrent.Await;
import scala.concurrent.duration.Duration;
import scala.jdk.javaapi.CollectionConverters;
import scala.runtime.BoxedUnit;

/** A Spark job with one outcome for each partition, which ends at the first failure. */
final class OutcomeJob {
  private final AtomicReference<@Nullable PartitionException> failure = new AtomicReference<>();
  private final AtomicReference<@Nullable SimpleFutureAction<BoxedUnit>> running =
      new AtomicReference<>();
  private final byte[][] values;

  private OutcomeJob(int partitions) {
    values = new byte[partitions][];
  }

  /**
   * Runs a job.
   *
   * @return the values in the order of the partitions; null for partitions without rows
   * @throws PartitionException if the program fails
   * @throws CancellationException if the job is cancelled, or this thread interrupted
   * @throws IllegalStateException if Spark gives up
   */
  static List<byte @Nullable []> run(JavaRDD<Outcome> outcomes) {
    OutcomeJob job = new OutcomeJob(outcomes.getNumPartitions());
    job.run(outcomes.rdd());
    return Arrays.asList(job.values);
  }

  private void run(RDD<Outcome> outcomes) {
    List<Object> partitions = new ArrayList<>();
    for (int i = 0; i < values.length; i++) {
      partitions.add(i);
    }
    Seq<Object> all = CollectionConverters.asScala(partitions).toSeq();
    Function2<Object, Outcome, BoxedUnit> handler =
        (partition, outcome) -> {
          receive((Integer) partition, outcome);
          return BoxedUnit.UNIT;
        };
    Function0<BoxedUnit> end = () -> BoxedUnit.UNIT;
    SimpleFutureAction<BoxedUnit> action =
        outcomes.sparkContext().submitJob(outcomes, SparkTask.only(), all, handler, end);
    running.set(action);
    if (failure.get() != null) {
      cancel(action);
    }
    await(action);
  }

  /** Receives an outcome in a thread of Spark's scheduler. */
  private void receive(int partition, Outcome outcome) {
    values[partition] = outcome.value();
    PartitionException error = outcome.failure();
    if (error != null && failure.compareAndSet(null, error)) {
      SimpleFutureAction<BoxedUnit> action = running.get();
      if (action != null) {
        cancel(action);
      }
    }
  }

  private static void cancel(SimpleFutureAction<BoxedUnit> action) {
    action.cancel(Option.apply("the program failed"));
  }

  private void await(SimpleFutureAction<BoxedUnit> action) {
    Exception ended = null;
    try {
      Await.result(action, Duration.Inf());
    } catch (InterruptedException e) {
      action.cancel();
      Thread.currentThread().interrupt();
      throw new CancellationException("the job was interrupted");
    } catch (Exception e) { // Scala's methods declare no checked exceptions.
      ended = e;
    }
    PartitionException error = failure.get();
    if (error != null) {
      throw error;
    }
    if (ended instanceof SparkException e && "SPARK_JOB_CANCELLED".equals(e.getCondition())) {
      CancellationException cancelled = new CancellationException("the job was cancelled");
      cancelled.initCause(e);
      throw cancelled;
    }
    if (ended != null) {
      throw new IllegalStateException("The Spark job failed: " + ended.getMessage(), ended);
    }
  }
}
