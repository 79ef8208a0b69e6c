package futharkc.tests;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import futharkc.core.driver.Compiler;
import futharkc.core.driver.CompilerOptions;
import futharkc.core.driver.LibraryCompilation;
import futharkc.core.driver.Source;
import futharkc.core.runtime.ArrayValue;
import futharkc.core.runtime.ElemType;
import futharkc.core.runtime.FutharkError;
import futharkc.core.runtime.Opaques;
import futharkc.core.runtime.Scalar;
import futharkc.core.runtime.Value;
import futharkc.integration.partitions.ChunkSize;
import futharkc.integration.partitions.Columns;
import futharkc.integration.partitions.DevicePolicy;
import futharkc.integration.partitions.Job;
import futharkc.integration.partitions.LocalRunner;
import futharkc.integration.partitions.NeighbourTree;
import futharkc.integration.partitions.Nulls;
import futharkc.integration.partitions.Operation;
import futharkc.integration.partitions.Partition;
import futharkc.integration.partitions.PartitionException;
import futharkc.integration.partitions.ProgramHandle;
import futharkc.tests.device.Devices;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of operations on partitions: their laws, types, failures and devices. */
final class PartitionsTest {
  private static final int CASES = 10_000;

  @TempDir private static Path folder;
  private static ProgramHandle handle;
  private static LocalRunner runner;

  @BeforeAll
  static void compile() throws Exception {
    handle = handle("multicore");
    runner = new LocalRunner(3);
  }

  private static ProgramHandle handle(String target) throws Exception {
    Path jar = folder.resolve(target + ".jar");
    new LibraryCompilation(
            Compiler.create(),
            Source.ofFile(Path.of("src/libraries/folds.fut")),
            CompilerOptions.DEFAULT,
            List.of(target),
            "com.acme.folds",
            "1")
        .jar()
        .write(jar);
    return ProgramHandle.ofFile(jar, target, DevicePolicy.ALL);
  }

  @AfterAll
  static void close() {
    runner.close();
  }

  private static Columns numbers(long... xs) {
    return Columns.of(ArrayValue.vector(ElemType.I64, xs));
  }

  private static Partition partition(Columns... batches) {
    return () -> List.of(batches).iterator();
  }

  private static long[] longs(List<List<Columns>> rows) {
    return rows.stream()
        .flatMap(List::stream)
        .map(c -> c.columns().getFirst().values())
        .flatMapToLong(v -> Arrays.stream((long[]) v.data(), 0, v.length()))
        .toArray();
  }

  private static final Operation MATRICES = new Operation.Fold("product", "join", "one");
  private static final Operation ENDS = new Operation.Fold("ends", "join_ends", null);

  /** Random rows, divided at random into partitions with random batches, some of them empty. */
  private record RandomTable(int[] a, int[] b, List<Partition> partitions) {
    static RandomTable of(Random random, boolean delays) {
      int n = random.nextInt(40);
      int[] a = random.ints(n).toArray();
      int[] b = random.ints(n).toArray();
      List<Partition> partitions = new ArrayList<>();
      int count = 1 + random.nextInt(7);
      int from = 0;
      for (int p = 0; p < count; p++) {
        int to = p == count - 1 ? n : from + random.nextInt(n - from + 1);
        List<Columns> batches = new ArrayList<>();
        while (from < to || random.nextInt(4) == 0) {
          int end = from + random.nextInt(to - from + 1);
          batches.add(
              Columns.of(
                  ArrayValue.vector(ElemType.U32, Arrays.copyOfRange(a, from, end)),
                  ArrayValue.vector(ElemType.U32, Arrays.copyOfRange(b, from, end))));
          from = end;
        }
        int spins = delays ? random.nextInt(20_000) : 0;
        partitions.add(
            () -> {
              for (int i = 0; i < spins; i++) {
                Thread.onSpinWait();
              }
              return batches.iterator();
            });
      }
      return new RandomTable(a, b, partitions);
    }

    /** Returns the product of all rows' matrices, computed here. */
    String product() {
      int[] x = {1, 0, 0, 1};
      for (int i = 0; i < a.length; i++) {
        int[] y = {a[i], b[i], 1, a[i] ^ b[i]};
        x =
            new int[] {
              x[0] * y[0] + x[1] * y[2],
              x[0] * y[1] + x[1] * y[3],
              x[2] * y[0] + x[3] * y[2],
              x[2] * y[1] + x[3] * y[3]
            };
      }
      return Arrays.toString(Arrays.stream(x).mapToObj(Scalar::u32).toArray());
    }
  }

  private static ChunkSize randomChunks(Random random) {
    return switch (random.nextInt(3)) {
      case 0 -> ChunkSize.WHOLE;
      case 1 -> ChunkSize.ofRows(1 + random.nextInt(10));
      default -> ChunkSize.ofBytes(1 + random.nextInt(80));
    };
  }

  private static String fields(Value matrix) {
    return Arrays.toString(Opaques.parts(matrix));
  }

  @Test
  void foldsOfPartitionsAreFoldsOfTheWhole() {
    Random random = new Random(1);
    for (int i = 0; i < CASES; i++) {
      RandomTable table = RandomTable.of(random, true);
      Job job = new Job(handle, MATRICES, "[]u32", "[]u32");
      String whole = table.product();
      Job chunked = job.withChunks(randomChunks(random));
      String parts = fields(runner.fold(chunked, table.partitions()));
      int number = i;
      assertEquals(whole, parts, () -> "case " + number);
      if (i % 10 == 0) {
        assertEquals(parts, fields(runner.fold(chunked, table.partitions())));
      }
    }
  }

  /** Joins partial results in the order of their completion, as engines' own reductions do. */
  private static String foldByCompletion(RandomTable table, Random random) {
    List<Value> partials = new ArrayList<>();
    Job job = new Job(handle, MATRICES, "[]u32", "[]u32");
    for (Partition p : table.partitions()) {
      partials.add(runner.fold(job, List.of(p)));
    }
    java.util.Collections.shuffle(partials, random);
    try (var program = handle.library().load(futharkc.core.runtime.embed.ProgramSettings.DEFAULT)) {
      return fields(
          partials.stream().reduce((x, y) -> program.callWith("join", x, y)).orElseThrow());
    }
  }

  @Test
  void theLawRejectsJoinsInTheOrderOfCompletion() {
    Random random = new Random(2);
    int wrong = 0;
    for (int i = 0; i < 20; i++) {
      RandomTable table = RandomTable.of(random, false);
      if (!table.product().equals(foldByCompletion(table, random))) {
        wrong++;
      }
    }
    assertTrue(wrong > 0, "a wrong runner satisfies the law");
  }

  @Test
  void firstAndLastComeFromTheFirstAndLastRows() {
    Job job = new Job(handle, ENDS, "[]i64").withChunks(ChunkSize.ofRows(2));
    Value ends =
        runner.fold(
            job,
            List.of(partition(), partition(numbers(5, 1, 2)), partition(numbers(), numbers(9))));
    assertEquals(
        "(5, 9)",
        "("
            + Arrays.stream(Opaques.parts(ends))
                .map(p -> Long.toString(((Scalar) p).asLong()))
                .reduce((x, y) -> x + ", " + y)
                .orElseThrow()
            + ")");
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class, () -> runner.fold(job, List.of(partition(numbers()))));
    assertTrue(e.getMessage().contains("no neutral element"), e.getMessage());
  }

  @Test
  void theNeutralElementIsTheResultOfNoRows() {
    Job job = new Job(handle, MATRICES, "[]u32", "[]u32");
    String one = fields(runner.fold(job, List.of()));
    assertEquals(one, fields(runner.fold(job, List.of(partition(), partition()))));
  }

  @Test
  void treesJoinNeighboursInOrder() {
    Random random = new Random(3);
    for (int n = 0; n < 70; n++) {
      StringBuilder expected = new StringBuilder();
      List<Integer> order = new ArrayList<>();
      List<String> values = new ArrayList<>();
      for (int i = 0; i < n; i++) {
        order.add(i);
        String value = random.nextInt(5) == 0 ? null : Character.toString('a' + i);
        values.add(value);
        expected.append(value == null ? "" : value);
      }
      java.util.Collections.shuffle(order, random);
      NeighbourTree<String> tree = new NeighbourTree<>(n);
      for (int i : order) {
        tree.add(i, values.get(i), String::concat);
      }
      String result = tree.result();
      assertEquals(expected.toString(), result == null ? "" : result);
    }
    NeighbourTree<String> tree = new NeighbourTree<>(3);
    tree.add(1, "b", String::concat);
    assertThrows(IllegalStateException.class, tree::result);
  }

  @Test
  void mapsKeepTheOrderOfRows() {
    Value table = ArrayValue.vector(ElemType.F64, new double[] {0.5});
    Job job =
        new Job(handle, new Operation.Map("scaled"), "[]f64")
            .withShared(Scalar.f64(2), table)
            .withChunks(ChunkSize.ofBytes(16));
    List<Partition> partitions = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      double[] xs = new double[i];
      Arrays.fill(xs, i);
      partitions.add(partition(Columns.of(ArrayValue.vector(ElemType.F64, xs))));
    }
    List<List<Columns>> rows = runner.rows(job, partitions);
    assertEquals(5, rows.size());
    assertEquals(List.of(0, 1, 1, 2, 2), rows.stream().map(List::size).toList());
    double[] last = (double[]) rows.get(4).getFirst().columns().getFirst().values().data();
    assertEquals(8.5, last[0]);
  }

  @Test
  void flatMapsReturnAnyNumberOfRows() {
    Job job =
        new Job(handle, new Operation.FlatMap("evens"), "[]i64").withChunks(ChunkSize.ofRows(2));
    assertArrayEquals(
        new long[] {2, 4, 6},
        longs(
            runner.rows(
                job, List.of(partition(numbers(1, 2, 3)), partition(), partition(numbers(4, 6))))));
    Job pairs = new Job(handle, new Operation.Map("pairs"), "[]i64", "[]i64");
    ArrayValue xs = ArrayValue.vector(ElemType.I64, new long[] {2, 3});
    Columns result =
        runner.rows(pairs, List.of(partition(Columns.of(xs, xs)))).getFirst().getFirst();
    assertArrayEquals(new long[] {4, 9}, (long[]) result.columns().get(1).values().data());
  }

  private static String refused(Operation operation, String... columns) {
    AtomicInteger started = new AtomicInteger();
    Partition counting =
        () -> {
          started.incrementAndGet();
          return List.<Columns>of().iterator();
        };
    Job job = new Job(handle, operation, columns);
    String message =
        assertThrows(
                IllegalArgumentException.class,
                () -> {
                  if (operation instanceof Operation.Fold) {
                    runner.fold(job, List.of(counting));
                  } else {
                    runner.rows(job, List.of(counting));
                  }
                })
            .getMessage();
    assertEquals(0, started.get());
    return message;
  }

  @Test
  void typesAreCheckedBeforeTheStart() {
    assertEquals(
        "Entry point evens of program folds takes a []i64, but column 0 has type []i32.",
        refused(new Operation.Map("evens"), "[]i32"));
    assertEquals(
        "Entry point evens of program folds takes 1 argument, but the job has 0 shared arguments"
            + " and 2 columns.",
        refused(new Operation.FlatMap("evens"), "[]i64", "[]i64"));
    assertEquals(
        "Entry point sum of program folds has the result type i64, not arrays with one element a"
            + " row.",
        refused(new Operation.Map("sum"), "[]i64"));
    assertEquals(
        "Entry point wrong_join of program folds has the type i64 -> i32 -> i64, but joins values"
            + " of type i64.",
        refused(new Operation.Fold("sum", "wrong_join", null), "[]i64"));
    assertTrue(refused(new Operation.Map("nothing"), "[]i64").contains("does not exist"));
    assertTrue(
        refused(new Operation.Fold("ends", "join_ends", "one"), "[]i64")
            .contains("has the type matrix, not the type (i64, i64)"));
  }

  @Test
  void failuresNameTheProgramThePartitionAndTheChunk() {
    Job job =
        new Job(handle, new Operation.Map("checked"), "[]i64").withChunks(ChunkSize.ofRows(1));
    AtomicInteger starts = new AtomicInteger();
    Partition bad =
        () -> {
          starts.incrementAndGet();
          return List.of(numbers(1, 2, -3)).iterator();
        };
    PartitionException e =
        assertThrows(PartitionException.class, () -> runner.rows(job, List.of(partition(), bad)));
    assertEquals("folds", e.program());
    assertEquals("checked", e.entry());
    assertEquals(1, e.partition());
    assertEquals(2, e.chunk());
    assertTrue(e.backtrace().contains("folds.fut:"), e.backtrace());
    assertFalse(e.isRetryable());
    assertEquals(1, starts.get(), "errors of programs are not retried");
    assertTrue(e.getMessage().contains("failed in partition 1, chunk 2:"), e.getMessage());
    PartitionException rows =
        assertThrows(
            PartitionException.class,
            () ->
                runner.rows(
                    new Job(handle, new Operation.Map("shorter"), "[]i64"),
                    List.of(partition(numbers(1, 2)))));
    assertTrue(rows.getMessage().contains("returned 1 rows for 2 rows"), rows.getMessage());
  }

  @Test
  void partitionsThatLackMemoryAreRetriedElsewhere() {
    Job job = new Job(handle, new Operation.Map("checked"), "[]i64");
    AtomicInteger starts = new AtomicInteger();
    Partition lacking =
        () -> {
          if (starts.incrementAndGet() == 1) {
            throw new FutharkError("Out of memory.", "", FutharkError.Kind.MEMORY);
          }
          return List.of(numbers(1, 2)).iterator();
        };
    assertArrayEquals(new long[] {1, 2}, longs(runner.rows(job, List.of(lacking))));
    assertEquals(2, starts.get());
  }

  @Test
  void nullsAreRefusedOrFilled() {
    Columns.Column column =
        new Columns.Column(
            ArrayValue.vector(ElemType.I64, new long[] {1, 99, 3}),
            BitSet.valueOf(new long[] {0b010}));
    Partition data = partition(numbers(7), new Columns(3, List.of(column)));
    Job job =
        new Job(handle, new Operation.Map("checked"), "[]i64").withChunks(ChunkSize.ofRows(2));
    PartitionException e =
        assertThrows(PartitionException.class, () -> runner.rows(job, List.of(data)));
    assertTrue(e.getMessage().contains("column 0 is null in row 2"), e.getMessage());
    assertArrayEquals(
        new long[] {7, 1, 0, 3},
        longs(runner.rows(job.withNulls(new Nulls(List.of(0L))), List.of(data))));
  }

  @Test
  void jobsAreCancelledBetweenChunks() throws Exception {
    Job job =
        new Job(handle, new Operation.Map("checked"), "[]i64").withChunks(ChunkSize.ofRows(1));
    AtomicInteger batches = new AtomicInteger();
    Partition endless =
        () ->
            new Iterator<>() {
              @Override
              public boolean hasNext() {
                return true;
              }

              @Override
              public Columns next() {
                batches.incrementAndGet();
                return numbers(1);
              }
            };
    assertThrows(
        CancellationException.class,
        () -> runner.rows(job, List.of(endless), () -> batches.get() > 20));
    CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
    Thread thread =
        Thread.ofPlatform()
            .start(
                () -> {
                  try {
                    runner.rows(job, List.of(endless));
                  } catch (CancellationException e) {
                    interrupted.complete(Thread.currentThread().isInterrupted());
                  }
                });
    Thread.sleep(50);
    thread.interrupt();
    assertTrue(interrupted.get());
    assertEquals(1, longs(runner.rows(job, List.of(partition(numbers(1))))).length);
  }

  private static <T> T copied(T value, Class<T> type) throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(value);
    }
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      return type.cast(in.readObject());
    }
  }

  @Test
  void handlesAreSerialisableAndLoadOnce() throws Exception {
    ProgramHandle copy = copied(handle, ProgramHandle.class);
    assertEquals(handle, copy);
    assertSame(handle.library(), copy.library());
    assertEquals(MATRICES, copied(MATRICES, Operation.class));
    ProgramHandle wrong =
        new ProgramHandle(handle.jar(), null, "0".repeat(64), "multicore", DevicePolicy.ALL);
    assertNotEquals(handle, wrong);
    assertThrows(IllegalStateException.class, wrong::library);
    assertNull(handle.resource());
  }

  @Test
  void devicesShareTheWork() throws Exception {
    Assumptions.assumeTrue(Devices.targets().contains("opencl"));
    ProgramHandle onDevices = handle("opencl");
    Function<ProgramHandle, String> fold =
        h -> {
          Random random = new Random(4);
          StringBuilder results = new StringBuilder();
          for (int i = 0; i < 20; i++) {
            RandomTable table = RandomTable.of(random, false);
            Job job = new Job(h, MATRICES, "[]u32", "[]u32").withChunks(ChunkSize.ofRows(5));
            results.append(fields(runner.fold(job, table.partitions())));
          }
          return results.toString();
        };
    assertEquals(fold.apply(handle), fold.apply(onDevices));
    Value table = ArrayValue.vector(ElemType.F64, new double[] {0.5});
    Job scaled =
        new Job(onDevices, new Operation.Map("scaled"), "[]f64")
            .withShared(Scalar.f64(2), table)
            .withChunks(ChunkSize.ofRows(1));
    Columns xs = Columns.of(ArrayValue.vector(ElemType.F64, new double[] {1, 2}));
    assertEquals(2, runner.rows(scaled, List.of(partition(xs))).getFirst().size());
    assertTrue(runner.workerCount(onDevices) >= 1);
  }
}
