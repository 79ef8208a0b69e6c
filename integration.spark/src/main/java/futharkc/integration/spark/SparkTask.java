package futharkc.integration.spark;

import java.io.Serializable;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.api.java.function.Function;
import org.apache.spark.api.java.function.Function2;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.catalyst.InternalRow;
import scala.Function1;

/**
 * The functions that Spark's tasks run. This class loads on every JVM that runs Spark. It checks
 * the Java version before it uses {@link ReceivedJob}, whose classes need Java 25. Lambdas for
 * executors are here, since a lambda loads the class that contains it.
 */
final class SparkTask implements Serializable {
  private static final long serialVersionUID = 1;

  private final Broadcast<byte[]> broadcast;

  /**
   * Creates the functions of a job.
   *
   * @param broadcast the serialised {@link SentJob}
   */
  SparkTask(Broadcast<byte[]> broadcast) {
    this.broadcast = broadcast;
  }

  private ReceivedJob job() {
    JavaVersion.check();
    return ReceivedJob.of(broadcast);
  }

  /** Returns the function from a partition to the rows of a map or flatMap. */
  <T> Function2<Integer, Iterator<T>, Iterator<InternalRow>> rows() {
    return (partition, rows) -> job().rows(partition, rows);
  }

  /** Returns the function from a partition to its partial result, the only element. */
  <T> Function2<Integer, Iterator<T>, Iterator<Outcome>> partials() {
    return (partition, rows) -> List.of(job().partial(partition, rows)).iterator();
  }

  /**
   * Returns the function that joins the partial results of all partitions, in their order. Its
   * argument is the serialised array of encoded results, null for partitions without rows.
   */
  Function<byte[], Outcome> join() {
    return partials -> job().join(SerializedForm.read(partials, byte[][].class));
  }

  /** Returns the function from a partition to its only element. */
  static Function1<scala.collection.Iterator<Outcome>, Outcome> only() {
    return (Function1<scala.collection.Iterator<Outcome>, Outcome> & Serializable)
        all -> all.next();
  }
}
