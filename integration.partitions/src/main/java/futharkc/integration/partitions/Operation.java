package futharkc.integration.partitions;

import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * An operation on the columns of partitioned data. The entry points take the shared arguments of
 * the job, then one array for each column.
 */
public sealed interface Operation extends Serializable {
  /**
   * Returns n rows for n rows.
   *
   * @param entry the entry point; its result is an array of n elements, or a record or tuple of
   *     such arrays
   */
  record Map(String entry) implements Operation {}

  /**
   * Returns any number of rows for n rows.
   *
   * @param entry the entry point; its result is an array, or a record or tuple of arrays of equal
   *     outer size
   */
  record FlatMap(String entry) implements Operation {}

  /**
   * Reduces all rows to one value. The results of {@code part} are joined in the order of the rows,
   * so that {@code join} must be associative but need not be commutative.
   *
   * @param part the entry point that reduces columns to a value of type s
   * @param join the entry point of type s → s → s; it takes no shared arguments
   * @param neutral the entry point without parameters whose value is the result for no rows; null
   *     if a job without rows is an error
   */
  record Fold(String part, String join, @Nullable String neutral) implements Operation {}
}
