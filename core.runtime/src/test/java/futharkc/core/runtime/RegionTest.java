package futharkc.core.runtime;

import static futharkc.core.runtime.JavaProgram.inChunks;
import static futharkc.core.runtime.JavaProgram.meet;
import static futharkc.core.runtime.JavaProgram.pause;
import static futharkc.core.runtime.JavaProgram.run;
import static futharkc.core.runtime.JavaProgram.scan;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A test of parallel regions and chained scans with both schedulers, with fewer and more threads
 * than cores.
 */
@Timeout(120)
class RegionTest {
  private static final int[] THREADS = {1, 2, 3, 16};

  static Stream<Arguments> schedulers() {
    return Stream.of(Scheduling.values())
        .flatMap(s -> java.util.Arrays.stream(THREADS).mapToObj(t -> Arguments.of(s, t)));
  }

  @ParameterizedTest
  @MethodSource("schedulers")
  void chunksCoverTheRangeOnce(Scheduling scheduling, int threads) {
    run(
        scheduling,
        threads,
        ctx -> {
          for (long n : new long[] {0, 1, 5, 99, 1000, 12345}) {
            for (int chunks : new int[] {1, 2, 7, 64}) {
              int[] seen = new int[(int) n];
              inChunks(
                  ctx,
                  n,
                  chunks,
                  (chunk, from, to) -> {
                    assertEquals(Parallel.chunkStart(n, chunks, chunk), from);
                    for (long i = from; i < to; i++) {
                      seen[(int) i]++;
                    }
                  });
              for (int times : seen) {
                assertEquals(1, times);
              }
            }
          }
          inChunks(ctx, 0, 0, (chunk, from, to) -> assertEquals(-1, chunk));
        });
  }

  @ParameterizedTest
  @MethodSource("schedulers")
  void scansPassOnWhatComesBefore(Scheduling scheduling, int threads) {
    run(
        scheduling,
        threads,
        ctx -> {
          for (int chunks : new int[] {1, 2, 3, 50, 1000}) {
            long[] own = new long[chunks + 1];
            long[] before = new long[chunks + 1];
            long[] sums = new long[4000];
            scan(
                ctx,
                sums.length,
                chunks,
                (c, from, to) -> own[c] = sum(from, to),
                (c, from, to) -> before[c + 1] = before[c] + own[c],
                (c, from, to) -> {
                  for (long i = from; i < to; i++) {
                    sums[(int) i] = before[c] + sum(from, i + 1);
                  }
                });
            for (int i = 0; i < sums.length; i++) {
              assertEquals(sum(0, i + 1), sums[i]);
            }
          }
        });
  }

  /** Tests that a worker which reduces the first chunk combines all chunks reduced meanwhile. */
  @ParameterizedTest
  @EnumSource(Scheduling.class)
  void scansDoNotWaitForThreadsWhoseChunksAreReduced(Scheduling scheduling) {
    run(
        scheduling,
        3,
        ctx -> {
          CyclicBarrier all = new CyclicBarrier(3);
          Thread[] first = new Thread[1];
          List<Thread> combined = Collections.synchronizedList(new ArrayList<>());
          scan(
              ctx,
              4,
              4,
              (c, from, to) -> {
                if (c < 3) {
                  meet(all);
                }
                if (c == 0) {
                  first[0] = Thread.currentThread();
                  pause(200);
                }
              },
              (c, from, to) -> combined.add(Thread.currentThread()),
              (c, from, to) -> {});
          assertEquals(List.of(first[0], first[0], first[0]), combined);
        });
  }

  private static long sum(long from, long to) {
    return (to * (to - 1) - from * (from - 1)) / 2;
  }

  @ParameterizedTest
  @EnumSource(Scheduling.class)
  void regionsNestAndStayOnTheContextsWorkers(Scheduling scheduling) {
    Set<String> threads = ConcurrentHashMap.newKeySet();
    AtomicLong sum = new AtomicLong();
    run(
        scheduling,
        2,
        ctx ->
            inChunks(
                ctx,
                64,
                16,
                (c, from, to) -> {
                  for (long i = from; i < to; i++) {
                    inChunks(
                        ctx,
                        100,
                        16,
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

  /** Tests that a region of one chunk starts no thread. */
  @ParameterizedTest
  @MethodSource("schedulers")
  void aSingleChunkIsRunByTheThreadThatComesToIt(Scheduling scheduling, int threads) {
    AtomicLong done = new AtomicLong();
    run(
        scheduling,
        threads,
        ctx -> {
          Thread here = Thread.currentThread();
          int before = threadsOfPool();
          for (int i = 0; i < 100; i++) {
            inChunks(
                ctx,
                1000,
                1,
                (c, from, to) -> {
                  if (Thread.currentThread() == here) {
                    done.addAndGet(to - from);
                  }
                });
          }
          assertEquals(before, threadsOfPool());
        });
    assertEquals(100_000, done.get());
  }

  private static int threadsOfPool() {
    return Thread.currentThread() instanceof ForkJoinWorkerThread t ? t.getPool().getPoolSize() : 1;
  }

  @ParameterizedTest
  @MethodSource("schedulers")
  void nestedRegionsAndScansDoAllTheirWork(Scheduling scheduling, int threads) {
    AtomicLong done = new AtomicLong();
    run(
        scheduling,
        threads,
        20,
        ctx ->
            inChunks(
                ctx,
                13,
                13,
                (c, from, to) -> {
                  long[] passed = new long[21];
                  scan(
                      ctx,
                      20,
                      20,
                      (d, f, t) -> inChunks(ctx, 3, 3, (e, g, h) -> done.incrementAndGet()),
                      (d, f, t) -> passed[d + 1] = passed[d] + 1,
                      (d, f, t) -> {
                        assertEquals(d, passed[d]);
                        inChunks(ctx, 3, 3, (e, g, h) -> done.incrementAndGet());
                      });
                }));
    assertEquals(20 * 13 * 3 * (19 + 20), done.get());
  }

  @ParameterizedTest
  @MethodSource("schedulers")
  void allWorkersComeAndComeBack(Scheduling scheduling, int threads) {
    CyclicBarrier all = new CyclicBarrier(threads);
    run(
        scheduling,
        threads,
        5,
        ctx -> {
          for (int pause : new int[] {0, 0, 20}) {
            pause(pause);
            inChunks(ctx, threads, threads, (c, from, to) -> meet(all));
          }
        });
  }

  @ParameterizedTest
  @EnumSource(Scheduling.class)
  void idleWorkersComeToInnerRegions(Scheduling scheduling) {
    CyclicBarrier all = new CyclicBarrier(3);
    run(
        scheduling,
        4,
        ctx ->
            inChunks(
                ctx,
                2,
                2,
                (c, from, to) -> {
                  if (c == 1) {
                    pause(20);
                    inChunks(ctx, 3, 3, (d, f, t) -> meet(all));
                  }
                }));
  }

  @ParameterizedTest
  @MethodSource("schedulers")
  void regionsFollowEachOther(Scheduling scheduling, int threads) {
    long[] sums = new long[10];
    AtomicLong inner = new AtomicLong();
    run(
        scheduling,
        threads,
        ctx -> {
          for (int round = 0; round < 3000; round++) {
            inChunks(
                ctx,
                10,
                10,
                (c, from, to) -> {
                  sums[c]++;
                  if (c == 3) {
                    inChunks(ctx, 5, 5, (d, f, t) -> inner.incrementAndGet());
                  }
                });
          }
        });
    for (long sum : sums) {
      assertEquals(3000, sum);
    }
    assertEquals(15000, inner.get());
  }

  // Failures

  private static final int CHUNKS = 9;

  private static String failure(Scheduling scheduling, int threads, Consumer<Context> body) {
    return assertThrows(FutharkError.class, () -> run(scheduling, threads, body)).getMessage();
  }

  private static void failIf(boolean bad, int chunk) {
    if (bad) {
      throw new FutharkError("chunk " + chunk);
    }
  }

  @ParameterizedTest
  @MethodSource("schedulers")
  void theFirstFailureInTheOrderOfTheRangeIsReported(Scheduling scheduling, int threads) {
    run(
        scheduling,
        threads,
        ctx -> {
          for (int round = 0; round < 50; round++) {
            for (int at = 0; at < CHUNKS; at++) {
              int first = at;
              assertFails(
                  first, () -> inChunks(ctx, 90, CHUNKS, (c, from, to) -> failIf(c == first, c)));
              assertFails(
                  first, () -> inChunks(ctx, 90, CHUNKS, (c, from, to) -> failIf(c >= first, c)));
            }
          }
        });
    String outside =
        failure(
            scheduling,
            threads,
            ctx -> inChunks(ctx, 90, CHUNKS, (c, from, to) -> failIf(c >= 4, c)));
    assertEquals("chunk 4", outside);
  }

  private static void assertFails(int chunk, Executable region) {
    assertEquals("chunk " + chunk, assertThrows(FutharkError.class, region).getMessage());
  }

  /** Tests that no chunk runs after the end of a region that has failed with an error. */
  @ParameterizedTest
  @MethodSource("schedulers")
  void noChunkOutlivesAnError(Scheduling scheduling, int threads) {
    run(
        scheduling,
        threads,
        10,
        ctx -> {
          AtomicInteger running = new AtomicInteger();
          assertThrows(
              StackOverflowError.class,
              () ->
                  inChunks(
                      ctx,
                      CHUNKS,
                      CHUNKS,
                      (c, from, to) -> {
                        if (c == 0) {
                          throw new StackOverflowError();
                        }
                        running.incrementAndGet();
                        pause(5);
                        running.decrementAndGet();
                      }));
          assertEquals(0, running.get());
        });
  }

  @ParameterizedTest
  @EnumSource(Scheduling.class)
  void noChunkBeginsBehindAFailure(Scheduling scheduling) {
    AtomicLong begun = new AtomicLong();
    String message =
        failure(
            scheduling,
            1,
            ctx ->
                inChunks(
                    ctx,
                    90,
                    CHUNKS,
                    (c, from, to) -> {
                      begun.incrementAndGet();
                      failIf(c == 2, c);
                    }));
    assertEquals("chunk 2", message);
    assertEquals(3, begun.get());
  }

  /** Tests that no chunk of a scan starts after an earlier one has failed. */
  @ParameterizedTest
  @EnumSource(Scheduling.class)
  void noChunkOfAScanBeginsBehindAFailure(Scheduling scheduling) {
    AtomicLong reduced = new AtomicLong();
    CyclicBarrier both = new CyclicBarrier(2);
    CountDownLatch over = new CountDownLatch(1);
    String message =
        failure(
            scheduling,
            2,
            ctx ->
                inChunks(
                    ctx,
                    2,
                    2,
                    (c, from, to) -> {
                      meet(both);
                      if (c == 1) {
                        JavaProgram.await(over);
                        return;
                      }
                      try {
                        scan(
                            ctx,
                            90,
                            CHUNKS,
                            (d, f, t) -> {
                              reduced.incrementAndGet();
                              failIf(true, d);
                            },
                            (d, f, t) -> {},
                            (d, f, t) -> {});
                      } finally {
                        over.countDown();
                      }
                    }));
    assertEquals("chunk 0", message);
    assertEquals(1, reduced.get());
  }

  /**
   * Tests that no thread combines after a combination has failed: neither the failing thread for
   * its next chunk, nor a later one.
   */
  @ParameterizedTest
  @EnumSource(Scheduling.class)
  void nobodyCombinesAfterACombinationHasFailed(Scheduling scheduling) {
    for (boolean isLate : new boolean[] {false, true}) {
      List<Integer> combined = Collections.synchronizedList(new ArrayList<>());
      CountDownLatch other = new CountDownLatch(1);
      CountDownLatch failed = new CountDownLatch(1);
      String message =
          failure(
              scheduling,
              2,
              ctx ->
                  scan(
                      ctx,
                      3,
                      3,
                      (c, f, t) -> {
                        if (c == 0) {
                          JavaProgram.await(other);
                          pause(isLate ? 0 : 100);
                          return;
                        }
                        other.countDown();
                        if (isLate) {
                          JavaProgram.await(failed);
                          pause(100);
                        }
                      },
                      (c, f, t) -> {
                        combined.add(c);
                        failed.countDown();
                        failIf(true, c);
                      },
                      (c, f, t) -> {}));
      assertEquals("chunk 0", message);
      assertEquals(List.of(0), combined);
    }
  }

  @ParameterizedTest
  @MethodSource("schedulers")
  void contextsWorkOnAfterFailures(Scheduling scheduling, int threads) {
    AtomicLong done = new AtomicLong();
    run(
        scheduling,
        threads,
        ctx -> {
          for (int round = 0; round < 300; round++) {
            int bad = round % CHUNKS;
            FutharkError e =
                assertThrows(
                    FutharkError.class,
                    () -> inChunks(ctx, 90, CHUNKS, (c, from, to) -> failIf(c == bad, c)));
            assertEquals("chunk " + bad, e.getMessage());
            inChunks(ctx, 90, CHUNKS, (c, from, to) -> done.incrementAndGet());
          }
        });
    assertEquals(300 * CHUNKS, done.get());
  }

  /**
   * Tests failures in each phase of each chunk of a scan, while workers wait for earlier chunks.
   */
  @ParameterizedTest
  @MethodSource("schedulers")
  void scansFailInAnyPartOfAnyChunk(Scheduling scheduling, int threads) {
    run(
        scheduling,
        threads,
        ctx -> {
          for (int round = 0; round < 50; round++) {
            for (int part = 0; part < 3; part++) {
              int bad = part;
              // The last chunk is scanned only.
              for (int at = 0; at < (part == 2 ? CHUNKS : CHUNKS - 1); at++) {
                int first = at;
                for (boolean all : new boolean[] {false, true}) {
                  assertFails(
                      first,
                      () ->
                          scan(
                              ctx,
                              90,
                              CHUNKS,
                              (c, f, t) -> failIf(bad == 0 && (c == first || all && c > first), c),
                              (c, f, t) -> failIf(bad == 1 && (c == first || all && c > first), c),
                              (c, f, t) ->
                                  failIf(bad == 2 && (c == first || all && c > first), c)));
                }
              }
            }
          }
        });
  }

  /**
   * Tests that a late failure of an earlier chunk is reported in place of that of a later chunk.
   */
  @ParameterizedTest
  @EnumSource(Scheduling.class)
  void aLateFailureOfAnEarlierChunkOfAScanIsReported(Scheduling scheduling) {
    for (int round = 0; round < 5; round++) {
      String message =
          failure(
              scheduling,
              4,
              ctx ->
                  scan(
                      ctx,
                      90,
                      CHUNKS,
                      (c, f, t) -> {
                        if (c == 0) {
                          pause(20);
                        }
                        failIf(c <= 2, c);
                      },
                      (c, f, t) -> {},
                      (c, f, t) -> {}));
      assertEquals("chunk 0", message);
    }
  }

  /**
   * Tests that a stream ends if a member fails in one of its elements; otherwise its caller would
   * wait forever.
   */
  @Test
  void streamsWhoseElementsFailEnd() {
    CyclicBarrier both = new CyclicBarrier(2);
    run(
        Scheduling.STREAMS,
        2,
        ctx -> {
          Thread leader = Thread.currentThread();
          ParallelRegion r =
              new ParallelRegion(ctx, 2, 2) {
                @Override
                protected void run(int chunk, long from, long to) {
                  meet(both);
                }
              };
          IntStream stream = IntStream.range(0, r.begin()).parallel();
          IllegalStateException e =
              assertThrows(
                  IllegalStateException.class,
                  () ->
                      stream.forEach(
                          element -> {
                            r.accept(element);
                            if (Thread.currentThread() != leader) {
                              throw new IllegalStateException("member");
                            }
                          }));
          assertTrue(String.valueOf(e).contains("member"), String.valueOf(e));
        });
  }

  @ParameterizedTest
  @MethodSource("schedulers")
  void errorsOfInnerRegionsAreErrorsOfTheirChunks(Scheduling scheduling, int threads) {
    for (int round = 0; round < 5; round++) {
      String message =
          failure(
              scheduling,
              threads,
              ctx ->
                  inChunks(
                      ctx,
                      8,
                      8,
                      (c, from, to) ->
                          inChunks(
                              ctx,
                              4,
                              4,
                              (d, f, t) -> {
                                if (c >= 2 && d >= 1) {
                                  throw new FutharkError(c + "." + d);
                                }
                              })));
      assertEquals("2.1", message);
    }
  }

  @ParameterizedTest
  @MethodSource("schedulers")
  void otherFailuresBecomeErrorsToo(Scheduling scheduling, int threads) {
    String outside = failure(scheduling, threads, ctx -> recurse(0));
    assertTrue(outside.startsWith("Stack overflow"), outside);
    String inside =
        failure(scheduling, threads, ctx -> inChunks(ctx, 4, 4, (c, from, to) -> recurse(0)));
    assertTrue(inside.startsWith("Stack overflow"), inside);
  }

  private static int recurse(int n) {
    return n < 0 ? 0 : recurse(n + 1) + 1;
  }
}
