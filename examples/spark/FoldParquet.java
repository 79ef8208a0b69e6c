import futharkc.core.runtime.OpaqueValue;
import futharkc.core.runtime.Opaques;
import futharkc.core.runtime.Scalar;
import futharkc.core.runtime.Value;
import futharkc.integration.partitions.DevicePolicy;
import futharkc.integration.partitions.Operation;
import futharkc.integration.partitions.ProgramHandle;
import futharkc.integration.spark.FutharkSpark;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * An example that folds a column of Parquet files to its moments. The files may be larger than the
 * memory of a device or a host.
 *
 * <pre>
 * futharkc library examples/spark/moments.fut --package moments --target cuda,multicore -o moments.jar
 * spark-submit --jars JARS --class FoldParquet example.jar moments.jar cuda hdfs:///trips distance
 * </pre>
 */
public final class FoldParquet {
  private FoldParquet() {}

  /**
   * Returns the moments of a column in words.
   *
   * @param library the file of the library
   * @param target the target
   */
  public static String moments(Dataset<Row> data, Path library, String target, String column)
      throws IOException {
    ProgramHandle program = ProgramHandle.ofFile(library, target, DevicePolicy.ALL);
    Value result =
        FutharkSpark.of(program).fold(data, new Operation.Fold("part", "join", "none"), column);
    // The fields are in alphabetical order.
    Value[] fields = Opaques.unpack((OpaqueValue) result);
    long count = ((Scalar) fields[0]).asLong();
    double deviation = Math.sqrt(((Scalar) fields[4]).asDouble() / Math.max(1, count));
    return "%d rows, mean %.3f, deviation %.3f, from %.3f to %.3f"
        .formatted(
            count,
            ((Scalar) fields[3]).asDouble(),
            deviation,
            ((Scalar) fields[2]).asDouble(),
            ((Scalar) fields[1]).asDouble());
  }

  /** Prints the moments of a column: library, target, folder of the Parquet files, column. */
  public static void main(String[] arguments) throws IOException {
    try (SparkSession session = SparkSession.builder().getOrCreate()) {
      Dataset<Row> data = session.read().parquet(arguments[2]);
      System.out.println(moments(data, Path.of(arguments[0]), arguments[1], arguments[3]));
    }
  }
}
