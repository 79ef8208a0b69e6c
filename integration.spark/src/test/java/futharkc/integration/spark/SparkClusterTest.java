package futharkc.integration.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import futharkc.core.runtime.ArrayValue;
import futharkc.core.runtime.ElemType;
import futharkc.core.runtime.Scalar;
import futharkc.integration.partitions.ChunkSize;
import futharkc.integration.partitions.Operation;
import futharkc.integration.partitions.PartitionException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests with executors in processes of their own. */
final class SparkClusterTest {
  @TempDir private static Path folder;
  private SparkSession session;

  /** Starts two executors with a core each. */
  private void start(String... settings) throws Exception {
    Files.createDirectories(Path.of("target", "spark-home", "jars"));
    SparkSession.Builder builder =
        SparkSession.builder()
            .master("local-cluster[2,1,1024]")
            .config("spark.ui.enabled", "false")
            .config("spark.executor.extraClassPath", System.getProperty("java.class.path"))
            .config("spark.sql.warehouse.dir", folder.resolve("warehouse").toString());
    for (int i = 0; i < settings.length; i += 2) {
      builder.config(settings[i], settings[i + 1]);
    }
    session = builder.getOrCreate();
    session.sparkContext().setLogLevel("OFF");
  }

  @AfterEach
  void stop() {
    if (session != null) {
      session.stop();
    }
  }

  private Dataset<Row> numbers(long n, int partitions) {
    return session.range(0, n, 1, partitions).toDF("x");
  }

  /** Ends the JVM at a number, the first time in all JVMs. */
  private static UDF1<Long, Long> haltingOnce(Path mark, long at) {
    String name = mark.toString();
    return x -> {
      if (x == at) {
        try {
          Files.createFile(Path.of(name));
          Runtime.getRuntime().halt(3);
        } catch (FileAlreadyExistsException e) {
          return x;
        }
      }
      return x;
    };
  }

  /** Adds a line to a file at a number. */
  private static UDF1<Long, Long> counting(Path file, long at) {
    String name = file.toString();
    return x -> {
      if (x == at) {
        Files.createTempFile(Path.of(name), "start", "");
      }
      return x == at ? -1 : x;
    };
  }

  @Test
  void executorsFailAndProgramsFail() throws Exception {
    start();
    FutharkSpark table = FutharkSpark.of(Programs.table(folder, "multicore"));
    List<Long> total = List.of(400L, 399L * 200);
    assertEquals(
        Programs.product(400), Programs.ints(table.fold(numbers(400, 4), Programs.PRODUCT, "x")));

    // An executor that ends in the middle of a task.
    Path mark = folder.resolve("halted");
    Dataset<Row> halting =
        numbers(400, 4)
            .select(
                functions
                    .udf(haltingOnce(mark, 250), DataTypes.LongType)
                    .apply(functions.col("x"))
                    .as("x"));
    FutharkSpark chunked = table.withChunks(ChunkSize.ofRows(10));
    assertEquals(
        Programs.product(400), Programs.ints(chunked.fold(halting, Programs.PRODUCT, "x")));
    assertTrue(Files.exists(mark));
    Files.delete(mark);
    Dataset<Row> rows = chunked.map(halting, "checked", "x");
    assertEquals(total.get(1), rows.agg(functions.sum("value")).first().getLong(0));
    assertTrue(Files.exists(mark));

    // A program's error, which Spark must not retry.
    Path starts = Files.createDirectory(folder.resolve("starts"));
    Dataset<Row> failing =
        numbers(400, 4)
            .select(
                functions
                    .udf(counting(starts, 150), DataTypes.LongType)
                    .apply(functions.col("x"))
                    .as("x"));
    Operation.Fold checked = new Operation.Fold("total", "join_total", null);
    PartitionException e =
        assertThrows(
            PartitionException.class,
            () -> table.fold(table.map(failing, "checked", "x"), checked, "value"));
    assertEquals(1, e.partition());
    assertTrue(e.backtrace().contains("table.fut:"), e.backtrace());
    try (var files = Files.list(starts)) {
      assertEquals(1, files.count());
    }
    Exception lazy =
        assertThrows(Exception.class, () -> table.map(failing, "checked", "x").collectAsList());
    assertTrue(lazy.toString().contains("failed in partition 1, chunk 0"), lazy.toString());

    // Nulls, empty and skewed partitions, large shared arguments.
    Dataset<Row> nulls = numbers(40, 4).selectExpr("case when x = 35 then null else x end as x");
    assertTrue(
        assertThrows(PartitionException.class, () -> table.fold(nulls, Programs.TOTAL, "x"))
            .getMessage()
            .contains("partition 3, chunk 0: column 0 is null in row 5"));
    Dataset<Row> skewed = numbers(0, 3).union(numbers(400, 1)).union(numbers(0, 2));
    assertEquals(total, Programs.longs(table.fold(skewed, Programs.TOTAL, "x")));
    double[] large = new double[8_000_000];
    large[7] = 0.5;
    FutharkSpark shared = table.withShared(Scalar.f64(1), ArrayValue.vector(ElemType.F64, large));
    Dataset<Row> doubles = numbers(40, 4).selectExpr("cast(x as double) as x");
    assertEquals(0.5, shared.map(doubles, "scaled", "x").first().getDouble(0));
    assertThrows(
        IllegalArgumentException.class,
        () -> shared.withSharedLimit(1 << 20).map(doubles, "scaled", "x"));

    // A cancelled job.
    CompletableFuture<Throwable> ended = new CompletableFuture<>();
    Thread.ofPlatform()
        .start(
            () -> {
              session.sparkContext().setJobGroup("slow", "a slow job", true);
              try {
                table
                    .withChunks(ChunkSize.ofRows(1))
                    .fold(numbers(2000, 4), new Operation.Fold("slow", "join_slow", null), "x");
                ended.complete(new AssertionError("the job ended"));
              } catch (Throwable t) {
                ended.complete(t);
              }
            });
    while (session.sparkContext().statusTracker().getActiveJobIds().length == 0) {
      Thread.sleep(10);
    }
    Thread.sleep(300);
    session.sparkContext().cancelJobGroup("slow");
    assertTrue(ended.get() instanceof CancellationException, ended.get().toString());
    assertEquals(total, Programs.longs(table.fold(numbers(400, 4), Programs.TOTAL, "x")));
  }

  @Test
  void resourcesAssignDevices() throws Exception {
    Assumptions.assumeTrue(Files.isDirectory(Path.of("/etc/OpenCL/vendors")));
    Path script = folder.resolve("discover.sh");
    Files.writeString(
        script, "#!/bin/sh\necho '{\"name\": \"device\", \"addresses\": [\"0\", \"1\"]}'\n");
    Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
    start(
        "spark.worker.resource.device.discoveryScript",
        script.toString(),
        "spark.worker.resource.device.amount",
        "2",
        "spark.executor.resource.device.amount",
        "1",
        "spark.task.resource.device.amount",
        "1");
    FutharkSpark table = FutharkSpark.of(Programs.table(folder, "opencl")).withResource("device");
    assertEquals(
        Programs.product(400), Programs.ints(table.fold(numbers(400, 4), Programs.PRODUCT, "x")));
  }

  @Test
  void executorsOnOldVersionsOfJavaAreRefused() throws Exception {
    Path old = Path.of(System.getProperty("maven.java", "none"));
    String release =
        Files.isRegularFile(old.resolve("release")) ? Files.readString(old.resolve("release")) : "";
    Assumptions.assumeTrue(release.contains("JAVA_VERSION=\"17"), "no Java 17");
    start("spark.executorEnv.JAVA_HOME", old.toString());
    FutharkSpark table = FutharkSpark.of(Programs.table(folder, "multicore"));
    Exception e =
        assertThrows(Exception.class, () -> table.fold(numbers(40, 4), Programs.PRODUCT, "x"));
    assertTrue(
        e.toString().contains("runs Java 17, but Futhark programs need Java 25"), e.toString());
  }
}
