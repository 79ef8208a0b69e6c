package futharkc.integration.spark;

import futharkc.integration.partitions.PartitionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.apache.spark.ExceptionFailure;
import org.apache.spark.SparkContext;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import scala.Option;

/**
 * A listener that cancels the stage of a program's error. Spark would run the task again, with the
 * same error.
 */
final class FailureListener extends SparkListener {
  /** The applications that have a listener, by their identifiers. */
  private static final ConcurrentMap<String, Boolean> INSTALLED = new ConcurrentHashMap<>();

  private final SparkContext context;

  private FailureListener(SparkContext context) {
    this.context = context;
  }

  /** Adds the listener to a context that does not have it. */
  static void install(SparkContext context) {
    if (INSTALLED.put(context.applicationId(), true) == null) {
      context.addSparkListener(new FailureListener(context));
    }
  }

  @Override
  public void onTaskEnd(SparkListenerTaskEnd end) {
    if (end.reason() instanceof ExceptionFailure failure) {
      Option<Throwable> error = failure.exception();
      Throwable known = error.isDefined() ? error.get() : null;
      if (known instanceof PartitionException e && !e.isRetryable()) {
        context.cancelStage(end.stageId(), e.toString());
      }
    }
  }
}
