package futharkc.core.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.OutputStream;
import java.io.PrintStream;
import java.util.Set;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ParallelTest {
  /** A program whose only entry point runs some Java code. */
  private static final class Running extends FutharkProgram {
    private final EntryPoint entry;

    Running(Consumer<Context> body) {
      entry =
          new EntryPoint(
              "main",
              new EntryPoint.Parameter[0],
              new ValueType.Prim(ElemType.BOOL),
              true,
              new String[0],
              new String[0]) {
            @Override
            public Value[] call(Context ctx, Value[] args) {
              body.accept(ctx);
              return new Value[] {Scalar.bool(true)};
            }
          };
    }

    @Override
    public String name() {
      return "running";
    }

    @Override
    public String backend() {
      return "none";
    }

    @Override
    public EntryPoint[] entryPoints() {
      return new EntryPoint[] {entry};
    }
  }

  private static void run(int threads, Consumer<Context> body) {
    run(threads, 1, body);
  }

  private static void run(int threads, int times, Consumer<Context> body) {
    Running program = new Running(body);
    PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream());
    try (Context ctx = Context.of(program, nowhere).threads(threads).build()) {
      for (int i = 0; i < times; i++) {
        assertEquals(Scalar.bool(true), ctx.run(program.entry));
      }
    }
  }

  /** Waits for the others, and fails if they do not come. */
  private static void meet(CyclicBarrier barrier) {
    try {
      barrier.await(60, TimeUnit.SECONDS);
    } catch (InterruptedException | BrokenBarrierException | TimeoutException e) {
      throw new IllegalStateException("a worker is missing", e);
    }
  }

  private static void pause(long milliseconds) {
    try {
      Thread.sleep(milliseconds);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 7})
  void chunksCoverTheRangeOnce(int threads) {
    run(
        threads,
        ctx -> {
          for (long n : new long[] {0, 1, 5, 99, 1000, 12345}) {
            int[] seen = new int[(int) n];
            Parallel.chunks(
                ctx,
                n,
                3,
                (chunk, from, to) -> {
                  for (long i = from; i < to; i++) {
                    seen[(int) i]++;
                  }
                });
            for (int times : seen) {
              assertEquals(1, times);
            }
          }
        });
  }

  @Test
  void cuttingDependsOnLengthAndThreadsOnly() {
    run(
        3,
        ctx -> {
          assertEquals(0, Parallel.chunkCount(ctx, 0, 1));
          assertEquals(1, Parallel.chunkCount(ctx, 10, 100));
          assertEquals(3, Parallel.chunkCount(ctx, 1000, 10, 1));
          assertEquals(24, Parallel.chunkCount(ctx, 1000, 10));
          assertEquals(100, Parallel.chunkStart(100, 7, 7));
          assertEquals(15, Parallel.chunkStart(100, 7, 1));
          assertEquals(1L << 39, Parallel.chunkStart(1L << 40, 2, 1));
        });
  }

  @Test
  void regionsNestAndStayOnTheContextsWorkers() {
    Set<String> threads = ConcurrentHashMap.newKeySet();
    AtomicLong sum = new AtomicLong();
    run(
        2,
        ctx ->
            Parallel.chunks(
                ctx,
                64,
                1,
                (c, from, to) -> {
                  for (long i = from; i < to; i++) {
                    Parallel.chunks(
                        ctx,
                        100,
                        1,
                        (d, f, t) -> {
                          threads.add(Thread.currentThread().getName());
                          sum.addAndGet(t - f);
                        });
                  }
                }));
    assertEquals(6400, sum.get());
    for (String thread : threads) {
      assertTrue(thread.startsWith("futhark-worker-"), thread);
    }
  }

  @Test
  void theFirstErrorInTheOrderOfTheRangeWins() {
    for (int round = 0; round < 50; round++) {
      FutharkError e =
          assertThrows(
              FutharkError.class,
              () ->
                  run(
                      4,
                      ctx ->
                          Parallel.chunks(
                              ctx,
                              1000,
                              1,
                              (c, from, to) -> {
                                if (to > 300) {
                                  throw new FutharkError("at " + Math.max(from, 300));
                                }
                              })));
      assertEquals("at 300", e.getMessage());
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 7})
  void allWorkersComeAndComeBack(int threads) {
    CyclicBarrier all = new CyclicBarrier(threads);
    run(
        threads,
        5,
        ctx -> {
          for (int pause : new int[] {0, 0, 20}) {
            pause(pause);
            Parallel.inChunks(ctx, threads, threads, (c, from, to) -> meet(all));
          }
        });
  }

  @Test
  void idleWorkersComeToInnerRegions() {
    CyclicBarrier all = new CyclicBarrier(3);
    run(
        4,
        ctx ->
            Parallel.inChunks(
                ctx,
                2,
                2,
                (c, from, to) -> {
                  if (c == 1) {
                    pause(20);
                    Parallel.inChunks(ctx, 3, 3, (d, f, t) -> meet(all));
                  }
                }));
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 16})
  void regionsFollowEachOther(int threads) {
    long[] sums = new long[10];
    AtomicLong inner = new AtomicLong();
    run(
        threads,
        ctx -> {
          for (int round = 0; round < 3000; round++) {
            Parallel.inChunks(
                ctx,
                10,
                10,
                (c, from, to) -> {
                  sums[c]++;
                  if (c == 3) {
                    Parallel.inChunks(ctx, 5, 5, (d, f, t) -> inner.incrementAndGet());
                  }
                });
          }
        });
    for (long sum : sums) {
      assertEquals(3000, sum);
    }
    assertEquals(15000, inner.get());
  }

  @Test
  void interruptsDoNotEndARegionEarly() {
    AtomicLong done = new AtomicLong();
    run(
        2,
        20,
        ctx -> {
          done.set(0);
          CyclicBarrier both = new CyclicBarrier(2);
          Parallel.inChunks(
              ctx,
              2,
              2,
              (c, from, to) -> {
                meet(both);
                if (c == 0) {
                  Thread.currentThread().interrupt();
                } else {
                  pause(5);
                }
                done.incrementAndGet();
              });
          assertEquals(2, done.get());
          Thread.interrupted();
        });
  }

  @Test
  void errorsOfInnerRegionsAreErrorsOfTheirChunks() {
    for (int round = 0; round < 50; round++) {
      FutharkError e =
          assertThrows(
              FutharkError.class,
              () ->
                  run(
                      3,
                      ctx ->
                          Parallel.inChunks(
                              ctx,
                              8,
                              8,
                              (c, from, to) ->
                                  Parallel.inChunks(
                                      ctx,
                                      4,
                                      4,
                                      (d, f, t) -> {
                                        if (c >= 2 && d >= 1) {
                                          throw new FutharkError(c + "." + d);
                                        }
                                      }))));
      assertEquals("2.1", e.getMessage());
    }
  }

  @Test
  void otherFailuresBecomeErrorsToo() {
    FutharkError deep = assertThrows(FutharkError.class, () -> run(2, ctx -> recurse(0)));
    assertTrue(deep.getMessage().startsWith("Stack overflow"), deep.getMessage());
    assertThrows(
        FutharkError.class,
        () ->
            run(
                2,
                ctx -> {
                  ctx.cancel();
                  Parallel.chunks(ctx, 10, 1, (c, from, to) -> {});
                }));
  }

  private static int recurse(int n) {
    return n < 0 ? 0 : recurse(n + 1) + 1;
  }
}
