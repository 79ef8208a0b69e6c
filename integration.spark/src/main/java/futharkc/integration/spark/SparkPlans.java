package futharkc.integration.spark;

import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.classic.SparkSession;
import org.apache.spark.sql.execution.ColumnarToRowExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.WholeStageCodegenExec;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.jspecify.annotations.Nullable;

/**
 * The calls of Spark's developer interface, which may change between versions: all of them are in
 * this class. The tests run with the version in the build file.
 */
final class SparkPlans {
  private SparkPlans() {}

  /**
   * Returns a dataset of this JVM's session.
   *
   * @throws IllegalArgumentException for datasets of Spark Connect, whose plans are on a server
   */
  private static org.apache.spark.sql.classic.Dataset<Row> classic(Dataset<Row> data) {
    if (data instanceof org.apache.spark.sql.classic.Dataset<Row> local) {
      return local;
    }
    throw new IllegalArgumentException(
        "Futhark programs need a dataset of a local session, but the dataset is a "
            + data.getClass().getName()
            + ". Run the driver inside the cluster, not through Spark Connect.");
  }

  /** Returns the batches of a plan that ends with a conversion of batches to rows; null if none. */
  static @Nullable JavaRDD<ColumnarBatch> batches(Dataset<Row> data) {
    SparkPlan plan = classic(data).queryExecution().executedPlan();
    if (plan instanceof WholeStageCodegenExec stage) {
      plan = stage.child();
    }
    if (!(plan instanceof ColumnarToRowExec conversion)) {
      return null;
    }
    SparkPlan columns = conversion.child();
    return columns.supportsColumnar() ? columns.executeColumnar().toJavaRDD() : null;
  }

  /** Returns the rows. Spark may change a row when it returns the next one. */
  static JavaRDD<InternalRow> rows(Dataset<Row> data) {
    return classic(data).queryExecution().toRdd().toJavaRDD();
  }

  /** Returns the dataset of rows in Spark's own form. */
  static Dataset<Row> dataset(Dataset<Row> origin, RDD<InternalRow> rows, StructType schema) {
    return session(origin).internalCreateDataFrame(rows, schema, false);
  }

  /** Returns the session of a dataset. */
  static SparkSession session(Dataset<Row> data) {
    return classic(data).sparkSession();
  }
}
