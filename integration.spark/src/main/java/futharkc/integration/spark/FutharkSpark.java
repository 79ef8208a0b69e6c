package futharkc.integration.spark;

import futharkc.core.runtime.ElemType;
import futharkc.core.runtime.EntryPoint;
import futharkc.core.runtime.Value;
import futharkc.integration.partitions.CheckedJob;
import futharkc.integration.partitions.ChunkSize;
import futharkc.integration.partitions.Job;
import futharkc.integration.partitions.Nulls;
import futharkc.integration.partitions.Operation;
import futharkc.integration.partitions.PartitionException;
import futharkc.integration.partitions.ProgramHandle;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import org.apache.spark.SparkContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.jspecify.annotations.Nullable;

/**
 * A program for Spark's datasets. Partitions are those of the dataset, in the order of their
 * numbers.
 *
 * <pre>{@code
 * FutharkSpark sums = FutharkSpark.of(ProgramHandle.ofFile(jar, "multicore", DevicePolicy.ALL));
 * Dataset<Row> scaled = sums.withShared(Scalar.f64(2)).map(data, "scale", "x");
 * Value total = sums.fold(data, new Operation.Fold("part", "join", "none"), "x");
 * }</pre>
 *
 * <p>Executors and the driver need Java 25, and on their class path this module, {@code
 * integration.partitions}, {@code core.runtime} and the run time of the target's device.
 *
 * <p>A task uses the device whose number is the address of its Spark resource, if Spark assigns the
 * resource; otherwise, the tasks of an executor take turns on the devices of the program's policy.
 */
public final class FutharkSpark {
  /** The default limit of the shared arguments' size in bytes. */
  public static final long DEFAULT_SHARED_LIMIT = 1L << 30;

  private final ProgramHandle program;
  private final List<Value> shared;
  private final ChunkSize chunks;
  private final Nulls nulls;
  private final String resource;
  private final long sharedLimit;

  private FutharkSpark(
      ProgramHandle program,
      List<Value> shared,
      ChunkSize chunks,
      Nulls nulls,
      String resource,
      long sharedLimit) {
    this.program = program;
    this.shared = shared;
    this.chunks = chunks;
    this.nulls = nulls;
    this.resource = resource;
    this.sharedLimit = sharedLimit;
  }

  /** Returns a program without shared arguments that refuses nulls. */
  public static FutharkSpark of(ProgramHandle program) {
    return new FutharkSpark(
        program, List.of(), ChunkSize.WHOLE, Nulls.REFUSE, "gpu", DEFAULT_SHARED_LIMIT);
  }

  /** Returns this program with shared arguments, which each executor receives once. */
  public FutharkSpark withShared(Value... values) {
    return new FutharkSpark(program, List.of(values), chunks, nulls, resource, sharedLimit);
  }

  /** Returns this program with a limit of chunks; the default is 2²⁰ rows. */
  public FutharkSpark withChunks(ChunkSize size) {
    return new FutharkSpark(program, shared, size, nulls, resource, sharedLimit);
  }

  /** Returns this program with a treatment of nulls. */
  public FutharkSpark withNulls(Nulls treatment) {
    return new FutharkSpark(program, shared, chunks, treatment, resource, sharedLimit);
  }

  /**
   * Returns this program with another resource of Spark for devices; the default is {@code gpu}.
   *
   * @param name the name in {@code spark.task.resource.NAME.amount}
   */
  public FutharkSpark withResource(String name) {
    return new FutharkSpark(program, shared, chunks, nulls, name, sharedLimit);
  }

  /**
   * Returns this program with a limit of the shared arguments' size, {@value #DEFAULT_SHARED_LIMIT}
   * bytes by default.
   *
   * @param bytes the limit in bytes, at most 2 GiB
   */
  public FutharkSpark withSharedLimit(long bytes) {
    return new FutharkSpark(program, shared, chunks, nulls, resource, bytes);
  }

  /**
   * Returns a dataset with n rows for n rows. Its columns are {@code value} for a result that is an
   * array, the fields of a record, or {@code v0}, {@code v1}, ... for a tuple.
   *
   * @param entry the entry point: shared arguments, then an array for each column
   * @param columns the columns, as {@link Dataset#select(String, String...)} names them
   * @throws IllegalArgumentException if the types are wrong
   */
  public Dataset<Row> map(Dataset<Row> data, String entry, String... columns) {
    return rows(data, new Operation.Map(entry), columns);
  }

  /**
   * Returns a dataset with any number of rows for each chunk, otherwise like {@link #map}.
   *
   * @param entry the entry point: shared arguments, then an array for each column
   * @param columns the columns, as {@link Dataset#select(String, String...)} names them
   * @throws IllegalArgumentException if the types are wrong
   */
  public Dataset<Row> flatMap(Dataset<Row> data, String entry, String... columns) {
    return rows(data, new Operation.FlatMap(entry), columns);
  }

  private Dataset<Row> rows(Dataset<Row> data, Operation operation, String[] columns) {
    Dataset<Row> selected = select(data, columns);
    CheckedJob checked = check(operation, selected.schema());
    StructType result = ColumnTypes.ofResult(checked.entry());
    SparkTask task = send(selected, operation, result);
    JavaRDD<ColumnarBatch> batches = SparkPlans.batches(selected);
    JavaRDD<InternalRow> rows =
        batches == null
            ? SparkPlans.rows(selected).mapPartitionsWithIndex(task.rows(), false)
            : batches.mapPartitionsWithIndex(task.rows(), false);
    return SparkPlans.dataset(selected, rows.rdd(), result);
  }

  /**
   * Reduces all rows to one value. Partial results are joined in the order of the partitions, by
   * one task, through a tree of neighbours.
   *
   * @param columns the columns, as {@link Dataset#select(String, String...)} names them
   * @return the value, on the host
   * @throws IllegalArgumentException if the types are wrong, or if there are no rows and the fold
   *     has no neutral element
   * @throws PartitionException if the program fails
   * @throws CancellationException if the job is cancelled, or this thread interrupted
   * @throws IllegalStateException if Spark gives up, with Spark's exception as its cause
   */
  public Value fold(Dataset<Row> data, Operation.Fold fold, String... columns) {
    Dataset<Row> selected = select(data, columns);
    CheckedJob checked = check(fold, selected.schema());
    SparkTask task = send(selected, fold, new StructType());
    JavaRDD<ColumnarBatch> batches = SparkPlans.batches(selected);
    List<byte @Nullable []> partials =
        OutcomeJob.run(
            batches == null
                ? SparkPlans.rows(selected).mapPartitionsWithIndex(task.partials(), false)
                : batches.mapPartitionsWithIndex(task.partials(), false));
    List<byte @Nullable []> present = partials.stream().filter(Objects::nonNull).toList();
    if (fold.neutral() == null && present.isEmpty()) {
      throw new IllegalArgumentException(
          "The dataset has no rows, and its fold has no neutral element: name an entry point for"
              + " it.");
    }
    byte[] result = present.size() == 1 ? present.get(0) : joined(selected, task, partials);
    return EncodedValues.decode(Objects.requireNonNull(result), List.of(checked.entry().result()))
        .get(0);
  }

  private static byte @Nullable [] joined(
      Dataset<Row> data, SparkTask task, List<byte @Nullable []> partials) {
    byte[] all = SerializedForm.write(partials.toArray(new byte[0][]));
    return OutcomeJob.run(
            JavaSparkContext.fromSparkContext(context(data))
                .parallelize(List.of(all), 1)
                .map(task.join()))
        .get(0);
  }

  /** Returns the parameters of an operation on columns. */
  static EntryPoint entry(ProgramHandle program, Operation operation) {
    String name;
    if (operation instanceof Operation.Map map) {
      name = map.entry();
    } else if (operation instanceof Operation.FlatMap map) {
      name = map.entry();
    } else {
      name = ((Operation.Fold) operation).part();
    }
    return program.entry(name);
  }

  private static Dataset<Row> select(Dataset<Row> data, String[] columns) {
    if (columns.length == 0) {
      throw new IllegalArgumentException("an operation needs at least one column");
    }
    return data.select(columns[0], Arrays.copyOfRange(columns, 1, columns.length));
  }

  private List<ElemType> types(Operation operation, StructType schema) {
    return ColumnTypes.elements(schema, entry(program, operation), shared.size());
  }

  private CheckedJob check(Operation operation, StructType schema) {
    String[] types = SentJob.typeNames(types(operation, schema));
    return new CheckedJob(
        new Job(program, operation, types).withShared(shared.toArray(new Value[0])));
  }

  private SparkTask send(Dataset<Row> data, Operation operation, StructType result) {
    long bytes = 0;
    for (Value value : shared) {
      bytes += EncodedValues.bytes(value);
    }
    if (bytes > sharedLimit) {
      throw new IllegalArgumentException(
          "The shared arguments have "
              + bytes
              + " bytes, but the limit is "
              + sharedLimit
              + ": every executor holds them, and so does each device. Raise the limit"
              + " (withSharedLimit), or pass columns instead.");
    }
    SparkContext context = context(data);
    FailureListener.install(context);
    SentJob job =
        new SentJob(
            program,
            operation,
            EncodedValues.encode(shared),
            shared.size(),
            types(operation, data.schema()),
            chunks,
            nulls,
            resource,
            result);
    Broadcast<byte[]> broadcast =
        JavaSparkContext.fromSparkContext(context).broadcast(SerializedForm.write(job));
    return new SparkTask(broadcast);
  }

  private static SparkContext context(Dataset<Row> data) {
    return SparkPlans.session(data).sparkContext();
  }
}
