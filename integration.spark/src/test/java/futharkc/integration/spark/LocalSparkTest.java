package futharkc.integration.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import futharkc.core.runtime.ArrayValue;
import futharkc.core.runtime.ElemType;
import futharkc.core.runtime.Scalar;
import futharkc.core.runtime.Value;
import futharkc.integration.partitions.ChunkSize;
import futharkc.integration.partitions.Columns;
import futharkc.integration.partitions.Job;
import futharkc.integration.partitions.LocalRunner;
import futharkc.integration.partitions.Nulls;
import futharkc.integration.partitions.Operation;
import futharkc.integration.partitions.Partition;
import futharkc.integration.partitions.PartitionException;
import futharkc.integration.partitions.ProgramHandle;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import javax.tools.ToolProvider;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests with two threads of one JVM. */
final class LocalSparkTest {
  @TempDir private static Path folder;
  private static SparkSession session;
  private static ProgramHandle handle;
  private static FutharkSpark table;

  @BeforeAll
  static void start() throws Exception {
    handle = Programs.table(folder, "multicore");
    table = FutharkSpark.of(handle);
    session =
        SparkSession.builder()
            .master("local[2]")
            .config("spark.ui.enabled", "false")
            .config("spark.sql.shuffle.partitions", "4")
            .config("spark.sql.warehouse.dir", folder.resolve("warehouse").toString())
            .getOrCreate();
    session.sparkContext().setLogLevel("ERROR");
  }

  @AfterAll
  static void stop() {
    session.stop();
  }

  private static Dataset<Row> numbers(long n, int partitions) {
    return session.range(0, n, 1, partitions).toDF("x");
  }

  private static List<Object> column(Dataset<Row> data) {
    List<Object> values = new ArrayList<>();
    for (Row row : data.collectAsList()) {
      values.add(row.get(0));
    }
    return values;
  }

  @Test
  void foldsJoinInTheOrderOfPartitions() {
    for (int partitions : new int[] {1, 2, 7, 50}) {
      assertEquals(
          Programs.product(40),
          Programs.ints(table.fold(numbers(40, partitions), Programs.PRODUCT, "x")),
          "in " + partitions + " partitions");
    }
    assertEquals(
        Programs.product(1000),
        Programs.ints(
            table.withChunks(ChunkSize.ofRows(7)).fold(numbers(1000, 5), Programs.PRODUCT, "x")));
  }

  @Test
  void foldsHaveTheBitsOfTheLocalRunner() {
    Operation.Fold total = new Operation.Fold("product", "join", null);
    List<Partition> partitions = new ArrayList<>();
    for (int p = 0; p < 5; p++) {
      long[] xs = LongStream.range(p * 20L, p * 20L + 20).toArray();
      partitions.add(() -> List.of(Columns.of(ArrayValue.vector(ElemType.I64, xs))).iterator());
    }
    Job job = new Job(handle, total, "[]i64").withChunks(ChunkSize.ofRows(3));
    try (LocalRunner runner = new LocalRunner(2)) {
      assertEquals(
          Programs.ints(runner.fold(job, partitions)),
          Programs.ints(table.withChunks(ChunkSize.ofRows(3)).fold(numbers(100, 5), total, "x")));
    }
  }

  @Test
  void emptyAndSkewedPartitions() {
    Dataset<Row> skewed = numbers(1000, 1).union(numbers(0, 3)).union(numbers(3, 3));
    assertEquals(
        List.of(1003L, 999L * 500 + 3), Programs.longs(table.fold(skewed, Programs.TOTAL, "x")));
    assertEquals(1003, table.map(skewed, "checked", "x").count());
    Dataset<Row> empty = numbers(0, 3);
    assertEquals(Programs.product(0), Programs.ints(table.fold(empty, Programs.PRODUCT, "x")));
    assertTrue(
        assertThrows(IllegalArgumentException.class, () -> table.fold(empty, Programs.TOTAL, "x"))
            .getMessage()
            .contains("no neutral element"));
    assertEquals(List.of(), column(table.map(empty, "checked", "x")));
  }

  @Test
  void mapsReturnTheColumnsOfTheResult() {
    Dataset<Row> data = numbers(10, 3).withColumn("y", functions.expr("cast(x as double) * 2"));
    Dataset<Row> both = table.map(data, "both", "x", "y");
    assertEquals("struct<same:boolean,sum:double>", both.schema().simpleString());
    List<Row> rows = both.collectAsList();
    assertEquals(10, rows.size());
    for (int i = 0; i < 10; i++) {
      assertEquals(3.0 * i, rows.get(i).getDouble(1));
      assertEquals(i == 0, rows.get(i).getBoolean(0));
    }
    Dataset<Row> scaled =
        table
            .withShared(Scalar.f64(2), ArrayValue.vector(ElemType.F64, new double[] {0.25, 0.25}))
            .withChunks(ChunkSize.ofRows(2))
            .map(data, "scaled", "y");
    assertEquals(List.of(0.5, 4.5, 8.5), column(scaled).subList(0, 3));
    assertEquals(5, table.flatMap(data, "evens", "x").count());
    Dataset<Row> bytes =
        numbers(3, 2)
            .select(
                functions.expr("cast(x + 125 as byte) as b"),
                functions.expr("cast(x as short) as s"));
    Dataset<Row> small = table.map(bytes, "small", "b", "s");
    assertEquals("struct<v0:tinyint,v1:int>", small.schema().simpleString());
    assertEquals(List.of((byte) 126, (byte) 127, (byte) -128), column(small));
  }

  @Test
  void mapsFollowEachOtherInOneTask() {
    Dataset<Row> twice =
        table.flatMap(
            table.map(table.flatMap(numbers(100, 3), "evens", "x"), "checked", "value"),
            "evens",
            "value");
    assertEquals(50, twice.count());
    assertEquals(List.of(0L, 2L, 4L), column(twice.limit(3)));
  }

  @Test
  void batchesOfParquetAreReadAsColumns() {
    String file = folder.resolve("table.parquet").toString();
    numbers(100_000, 3).withColumn("y", functions.expr("cast(x as double)")).write().parquet(file);
    Dataset<Row> read = session.read().parquet(file);
    assertNotNull(SparkPlans.batches(read.select("x")));
    assertNull(SparkPlans.batches(read.select(functions.expr("x + 1"))));
    List<Long> total = List.of(100_000L, 99_999L * 50_000);
    assertEquals(total, Programs.longs(table.fold(read, Programs.TOTAL, "x")));
    assertEquals(
        total,
        Programs.longs(table.withChunks(ChunkSize.ofRows(999)).fold(read, Programs.TOTAL, "x")));
    assertEquals(100_000, table.map(read, "both", "x", "y").where("same").count());
    Dataset<Row> cached = read.cache();
    assertEquals(total, Programs.longs(table.fold(cached, Programs.TOTAL, "x")));
    cached.unpersist();
    String nulls = folder.resolve("nulls.parquet").toString();
    session
        .range(0, 5000, 1, 1)
        .select(functions.expr("case when id = 4500 then null else id end as x"))
        .write()
        .parquet(nulls);
    assertTrue(
        assertThrows(
                PartitionException.class,
                () -> table.fold(session.read().parquet(nulls), Programs.TOTAL, "x"))
            .getMessage()
            .contains("column 0 is null in row 4500"));
  }

  @Test
  void nullsAreRefusedOrFilled() {
    Dataset<Row> data =
        numbers(20, 2).select(functions.expr("case when x = 13 then null else x end as x"));
    PartitionException e =
        assertThrows(PartitionException.class, () -> table.fold(data, Programs.TOTAL, "x"));
    assertEquals(1, e.partition());
    assertTrue(e.getMessage().contains("column 0 is null in row 3"), e.getMessage());
    FutharkSpark filling = table.withNulls(new Nulls(Collections.singletonList(100L)));
    assertEquals(
        List.of(20L, 19L * 10 - 13 + 100), Programs.longs(filling.fold(data, Programs.TOTAL, "x")));
  }

  @Test
  void typesAreCheckedBeforeTheStart() {
    Dataset<Row> data = numbers(3, 1).withColumn("name", functions.lit("a"));
    assertRefused("Column name has type string", () -> table.map(data, "checked", "name"));
    assertRefused(
        "takes a []f64, but column 0 has type []i64",
        () ->
            table
                .withShared(Scalar.f64(1), ArrayValue.vector(ElemType.F64, new double[0]))
                .map(data, "scaled", "x"));
    assertRefused("nothing of program table does not exist", () -> table.map(data, "nothing", "x"));
    assertRefused("returns [][]i64 as column value", () -> table.map(data, "rows", "x"));
    assertRefused("at least one column", () -> table.map(data, "checked"));
    assertRefused(
        "The shared arguments have 808 bytes, but the limit is 800",
        () ->
            table
                .withShared(Scalar.f64(1), ArrayValue.vector(ElemType.F64, new double[100]))
                .withSharedLimit(800)
                .map(data.selectExpr("cast(x as double) as x"), "scaled", "x"));
  }

  private static void assertRefused(String message, org.junit.jupiter.api.function.Executable e) {
    String found = assertThrows(IllegalArgumentException.class, e).getMessage();
    assertTrue(found.contains(message), found);
  }

  @Test
  void errorsOfTheProgramNameThePartition() {
    Dataset<Row> data = numbers(10, 5).select(functions.expr("if(x = 5, -1, x) as x"));
    PartitionException e =
        assertThrows(
            PartitionException.class,
            () -> table.fold(table.map(data, "checked", "x"), Programs.TOTAL, "value"));
    assertEquals(2, e.partition());
    assertEquals("checked", e.entry());
    Exception lazy =
        assertThrows(Exception.class, () -> table.map(data, "checked", "x").collectAsList());
    assertTrue(lazy.toString().contains("failed in partition 2, chunk 0"), lazy.toString());
    assertTrue(lazy.toString().contains("table.fut:"), lazy.toString());
  }

  @Test
  void jobsAreCancelled() throws Exception {
    Operation.Fold slow = new Operation.Fold("slow", "join_slow", null);
    CompletableFuture<Throwable> ended = new CompletableFuture<>();
    Thread thread =
        Thread.ofPlatform()
            .start(
                () -> {
                  session.sparkContext().setJobGroup("slow", "a slow job", true);
                  try {
                    table.withChunks(ChunkSize.ofRows(1)).fold(numbers(2000, 4), slow, "x");
                    ended.complete(new AssertionError("the job ended"));
                  } catch (Throwable e) {
                    ended.complete(e);
                  }
                });
    while (session.sparkContext().statusTracker().getActiveJobIds().length == 0) {
      Thread.sleep(10);
    }
    Thread.sleep(300);
    session.sparkContext().cancelJobGroup("slow");
    assertTrue(ended.get() instanceof CancellationException, ended.get().toString());
    thread.join();
    assertEquals(
        List.of(10L, 45L), Programs.longs(table.fold(numbers(10, 3), Programs.TOTAL, "x")));
  }

  @Test
  void interruptsEndAJob() throws Exception {
    Operation.Fold slow = new Operation.Fold("slow", "join_slow", null);
    CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
    Thread thread =
        Thread.ofPlatform()
            .start(
                () -> {
                  try {
                    table.withChunks(ChunkSize.ofRows(1)).fold(numbers(2000, 4), slow, "x");
                  } catch (CancellationException e) {
                    interrupted.complete(Thread.currentThread().isInterrupted());
                  }
                });
    while (session.sparkContext().statusTracker().getActiveJobIds().length == 0) {
      Thread.sleep(10);
    }
    thread.interrupt();
    assertTrue(interrupted.get());
  }

  @Test
  void devicesOfOpenClShareTheTasks() throws Exception {
    Assumptions.assumeTrue(Files.isDirectory(Path.of("/etc/OpenCL/vendors")));
    FutharkSpark onDevices = FutharkSpark.of(Programs.table(folder, "opencl"));
    assertEquals(
        Programs.product(1000),
        Programs.ints(onDevices.fold(numbers(1000, 6), Programs.PRODUCT, "x")));
    Value step = ArrayValue.vector(ElemType.F64, new double[] {1});
    Dataset<Row> data = numbers(100, 4).selectExpr("cast(x as double) as x");
    FutharkSpark shared = onDevices.withShared(Scalar.f64(1), step);
    Dataset<Row> twice = shared.map(shared.map(data, "scaled", "x"), "scaled", "value");
    assertEquals(2.0, twice.first().getDouble(0));
    assertEquals(100, twice.count());
  }

  @Test
  void oldVersionsOfJavaAreRefused() {
    String message =
        assertThrows(UnsupportedJavaException.class, () -> JavaVersion.check(21, "3")).getMessage();
    assertTrue(message.startsWith("Executor 3 runs Java 21, but"), message);
    JavaVersion.check(25, "3");
  }

  @Test
  void theExampleFoldsAParquetFile() throws Exception {
    Path examples = Path.of("../examples/spark");
    Path classes = Files.createDirectory(folder.resolve("example"));
    int status =
        ToolProvider.getSystemJavaCompiler()
            .run(
                null,
                null,
                null,
                "-proc:none",
                "-cp",
                System.getProperty("java.class.path"),
                "-d",
                classes.toString(),
                examples.resolve("FoldParquet.java").toString());
    assertEquals(0, status);
    Path library =
        Programs.library(
            examples.resolve("moments.fut"), "multicore", folder.resolve("moments.jar"));
    String file = folder.resolve("example.parquet").toString();
    numbers(101, 3).selectExpr("cast(x as double) as x").write().parquet(file);
    try (URLClassLoader loader = new URLClassLoader(new URL[] {classes.toUri().toURL()})) {
      Object text =
          loader
              .loadClass("FoldParquet")
              .getMethod("moments", Dataset.class, Path.class, String.class, String.class)
              .invoke(null, session.read().parquet(file), library, "multicore", "x");
      assertEquals("101 rows, mean 50.000, deviation 29.155, from 0.000 to 100.000", text);
    }
  }

  @Test
  void timesAreNumbers() {
    Dataset<Row> times =
        session
            .createDataset(
                List.of(java.sql.Timestamp.valueOf("1970-01-01 00:00:01")), Encoders.TIMESTAMP())
            .toDF("t")
            .withColumn("d", functions.expr("date'1970-01-03'"));
    assertEquals(1, table.map(times, "checked", "t").count());
    assertEquals(DataTypes.DateType, times.schema().fields()[1].dataType());
  }
}
