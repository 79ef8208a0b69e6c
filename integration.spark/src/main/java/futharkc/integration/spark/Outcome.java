package futharkc.integration.spark;

import futharkc.integration.partitions.PartitionException;
import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * The result of a task of a fold. A program's error is a result, too, since Spark would run a
 * failed task again.
 *
 * @param value the encoded value; null for a partition without rows, and for a failure
 * @param failure the error; null for success
 */
@SuppressWarnings("ArrayRecordComponent") // Outcomes are not compared.
record Outcome(byte @Nullable [] value, @Nullable PartitionException failure)
    implements Serializable {
  /** Returns a success. */
  static Outcome of(byte @Nullable [] value) {
    return new Outcome(value, null);
  }

  /** Returns a failure. */
  static Outcome failed(PartitionException failure) {
    return new Outcome(null, failure);
  }
}
