package futharkc.core.runtime;

import static futharkc.core.runtime.JavaProgram.await;
import static futharkc.core.runtime.JavaProgram.inChunks;
import static futharkc.core.runtime.JavaProgram.meet;
import static futharkc.core.runtime.JavaProgram.scan;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** A test of the calls of one context: cancellation, interrupts, and waiting for other calls. */
@Timeout(120)
class CallsTest {
  /**
   * The time limit for the end of a call in milliseconds, far above 100 ms because the machine may
   * be busy.
   */
  private static final long SOON = 20_000;

  static Stream<Arguments> schedulers() {
    return Stream.of(Scheduling.values())
        .flatMap(s -> Stream.of(1, 2, 16).map(t -> Arguments.of(s, t)));
  }

  /** The states of a call at the time of its cancellation. Each runs until it is cancelled. */
  private enum Place {
    SEQUENTIAL_LOOP {
      @Override
      void stay(Context ctx, CountDownLatch there) {
        there.countDown();
        spin(ctx);
      }
    },
    /** A loop that checks for cancellation only while the flag is on, like generated code. */
    WATCHING_LOOP {
      @Override
      void stay(Context ctx, CountDownLatch there) {
        there.countDown();
        while (true) {
          if (Context.CANCELLING.watch.on()) {
            ctx.checkCancelled();
          }
        }
      }
    },
    ALL_CHUNKS {
      @Override
      void stay(Context ctx, CountDownLatch there) {
        inChunks(
            ctx,
            64,
            64,
            (c, from, to) -> {
              there.countDown();
              spin(ctx);
            });
      }
    },
    /**
     * A region in which the opening thread waits for another thread's chunk, or the other way
     * round.
     */
    ONE_CHUNK {
      @Override
      void stay(Context ctx, CountDownLatch there) {
        for (int last : new int[] {0, 7}) {
          inChunks(
              ctx,
              8,
              8,
              (c, from, to) -> {
                if (c == last) {
                  there.countDown();
                  spin(ctx);
                }
              });
        }
      }
    },
    INNER_REGION {
      @Override
      void stay(Context ctx, CountDownLatch there) {
        inChunks(ctx, 4, 4, (c, from, to) -> ONE_CHUNK.stay(ctx, there));
      }
    },
    /** A scan in which all other workers wait for the prefix of their chunks. */
    REDUCTION_IN_SCAN {
      @Override
      void stay(Context ctx, CountDownLatch there) {
        scan(
            ctx,
            64,
            64,
            (c, f, t) -> {
              if (c == 3) {
                there.countDown();
                spin(ctx);
              }
            },
            (c, f, t) -> {},
            (c, f, t) -> {});
      }
    },
    COMBINATION_IN_SCAN {
      @Override
      void stay(Context ctx, CountDownLatch there) {
        scan(
            ctx,
            64,
            64,
            (c, f, t) -> {},
            (c, f, t) -> {
              if (c == 3) {
                there.countDown();
                spin(ctx);
              }
            },
            (c, f, t) -> {});
      }
    };

    abstract void stay(Context ctx, CountDownLatch there);

    /** Loops as generated code does, with the same checks. */
    private static void spin(Context ctx) {
      while (true) {
        ctx.checkCancelled();
      }
    }
  }

  /** A thread that makes a call. */
  private static final class Caller {
    final AtomicReference<@Nullable Throwable> thrown = new AtomicReference<>();
    final AtomicBoolean stillInterrupted = new AtomicBoolean();
    final Thread thread;

    Caller(Context ctx, JavaProgram program) {
      thread =
          new Thread(
              () -> {
                try {
                  ctx.run(program.entry);
                } catch (RuntimeException | Error e) {
                  thrown.set(e);
                }
                stillInterrupted.set(Thread.currentThread().isInterrupted());
              });
      thread.start();
    }

    /** Returns the message of the call's failure. */
    String failure() throws InterruptedException {
      thread.join(SOON);
      assertFalse(thread.isAlive(), "the call goes on");
      Throwable t = thrown.get();
      assertNotNull(t, "the call has not failed");
      return t.getMessage();
    }
  }

  @ParameterizedTest
  @MethodSource("schedulers")
  void callsEndWhereverTheyAreWhenCancelled(Scheduling scheduling, int threads) throws Exception {
    for (Place place : Place.values()) {
      AtomicReference<CountDownLatch> there = new AtomicReference<>(new CountDownLatch(1));
      AtomicBoolean quick = new AtomicBoolean();
      JavaProgram program =
          new JavaProgram(
              ctx -> {
                if (!quick.get()) {
                  place.stay(ctx, there.get());
                }
              });
      try (Context ctx = program.context(scheduling, threads)) {
        for (int round = 0; round < 3; round++) {
          there.set(new CountDownLatch(1));
          Caller caller = new Caller(ctx, program);
          there.get().await();
          ctx.cancel();
          assertEquals("Cancelled.", caller.failure(), () -> "in " + place);

          there.set(new CountDownLatch(1));
          caller = new Caller(ctx, program);
          there.get().await();
          caller.thread.interrupt();
          assertEquals("Interrupted.", caller.failure(), () -> "in " + place);
          assertTrue(caller.stillInterrupted.get());
          assertFalse(Context.CANCELLING.watch.on(), "all calls look, with none that is cancelled");

          quick.set(true);
          assertEquals(Scalar.bool(true), ctx.run(program.entry));
          quick.set(false);
        }
      }
    }
  }

  @Test
  void cancellingNothingCancelsNothing() {
    AtomicInteger calls = new AtomicInteger();
    JavaProgram program =
        new JavaProgram(ctx -> inChunks(ctx, 8, 8, (c, from, to) -> calls.incrementAndGet()));
    try (Context ctx = program.context(Scheduling.DEFAULT, 2)) {
      ctx.cancel();
      ctx.run(program.entry);
      ctx.cancel();
      ctx.run(program.entry);
    }
    assertEquals(16, calls.get());
  }

  /** Tests that the next call neither resumes an interrupted call nor waits for it. */
  @ParameterizedTest
  @MethodSource("schedulers")
  void anInterruptedCallIsNotRevived(Scheduling scheduling, int threads) throws Exception {
    CountDownLatch there = new CountDownLatch(1);
    AtomicInteger running = new AtomicInteger();
    AtomicInteger calls = new AtomicInteger();
    JavaProgram program =
        new JavaProgram(
            ctx -> {
              assertEquals(1, running.incrementAndGet());
              try {
                if (calls.incrementAndGet() == 1) {
                  Place.ALL_CHUNKS.stay(ctx, there);
                }
              } finally {
                running.decrementAndGet();
              }
            });
    try (Context ctx = program.context(scheduling, threads)) {
      Caller first = new Caller(ctx, program);
      there.await();
      first.thread.interrupt();
      for (int i = 0; i < 10; i++) {
        assertEquals(Scalar.bool(true), ctx.run(program.entry));
      }
      assertEquals("Interrupted.", first.failure());
    }
    assertEquals(11, calls.get());
  }

  @ParameterizedTest
  @MethodSource("schedulers")
  void overlappingCallsWaitForEachOther(Scheduling scheduling, int threads) throws Exception {
    AtomicInteger running = new AtomicInteger();
    AtomicInteger done = new AtomicInteger();
    JavaProgram program =
        new JavaProgram(
            ctx -> {
              assertEquals(1, running.incrementAndGet());
              for (int i = 0; i < 20; i++) {
                AtomicInteger chunks = new AtomicInteger();
                inChunks(ctx, 40, 20, (c, from, to) -> chunks.incrementAndGet());
                assertEquals(20, chunks.get());
              }
              done.incrementAndGet();
              running.decrementAndGet();
            });
    try (Context ctx = program.context(scheduling, threads)) {
      List<Thread> callers = new ArrayList<>();
      AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
      for (int t = 0; t < 6; t++) {
        Thread caller =
            new Thread(
                () -> {
                  try {
                    for (int i = 0; i < 30; i++) {
                      ctx.run(program.entry);
                    }
                  } catch (RuntimeException | Error e) {
                    failure.set(e);
                  }
                });
        callers.add(caller);
        caller.start();
      }
      for (Thread caller : callers) {
        caller.join();
      }
      Throwable thrown = failure.get();
      if (thrown != null) {
        throw new AssertionError(thrown);
      }
    }
    assertEquals(180, done.get());
  }

  /** Tests that a pool thread that waits for its call does not start another task of its pool. */
  @ParameterizedTest
  @MethodSource("schedulers")
  @Timeout(60)
  void callsOfAParallelStreamWaitForEachOther(Scheduling scheduling, int threads) {
    AtomicInteger done = new AtomicInteger();
    JavaProgram program =
        new JavaProgram(ctx -> inChunks(ctx, 8, 8, (c, from, to) -> done.incrementAndGet()));
    try (Context ctx = program.context(scheduling, threads);
        ForkJoinPool pool = new ForkJoinPool(4)) {
      pool.submit(() -> IntStream.range(0, 200).parallel().forEach(i -> ctx.run(program.entry)))
          .join();
    }
    assertEquals(1600, done.get());
  }

  /**
   * Tests that cancelling ends the running call only, and that an interrupt ends a waiting call
   * only.
   */
  @ParameterizedTest
  @MethodSource("schedulers")
  void callsThatWaitAreInterruptedAlone(Scheduling scheduling, int threads) throws Exception {
    CountDownLatch there = new CountDownLatch(1);
    AtomicInteger calls = new AtomicInteger();
    Consumer<Context> body =
        ctx -> {
          if (calls.incrementAndGet() == 1) {
            Place.SEQUENTIAL_LOOP.stay(ctx, there);
          }
        };
    JavaProgram program = new JavaProgram(body);
    try (Context ctx = program.context(scheduling, threads)) {
      Caller first = new Caller(ctx, program);
      there.await();
      Caller second = new Caller(ctx, program);
      Caller third = new Caller(ctx, program);
      second.thread.interrupt();
      assertEquals("Interrupted.", second.failure());
      assertTrue(second.stillInterrupted.get());
      assertTrue(first.thread.isAlive() && third.thread.isAlive());
      ctx.cancel();
      assertEquals("Cancelled.", first.failure());
      third.thread.join(SOON);
      assertFalse(third.thread.isAlive());
      assertEquals(null, third.thrown.get());
    }
    assertEquals(2, calls.get());
  }

  @ParameterizedTest
  @MethodSource("schedulers")
  void closingEndsTheCallThatRuns(Scheduling scheduling, int threads) throws Exception {
    CountDownLatch there = new CountDownLatch(1);
    JavaProgram program = new JavaProgram(ctx -> Place.ALL_CHUNKS.stay(ctx, there));
    Context ctx = program.context(scheduling, threads);
    Caller caller = new Caller(ctx, program);
    there.await();
    ctx.close();
    assertEquals("Cancelled.", caller.failure());
    assertThrows(IllegalStateException.class, () -> ctx.run(program.entry));
  }

  /** Tests that calls which waited when the context was closed end without having started. */
  @ParameterizedTest
  @MethodSource("schedulers")
  void closingEndsTheCallsThatWait(Scheduling scheduling, int threads) throws Exception {
    CountDownLatch there = new CountDownLatch(1);
    AtomicInteger calls = new AtomicInteger();
    JavaProgram program =
        new JavaProgram(
            ctx -> {
              calls.incrementAndGet();
              Place.SEQUENTIAL_LOOP.stay(ctx, there);
            });
    Context ctx = program.context(scheduling, threads);
    Caller first = new Caller(ctx, program);
    there.await();
    Caller second = new Caller(ctx, program);
    while (second.thread.getState() != Thread.State.WAITING) {
      Thread.onSpinWait();
    }
    ctx.close();
    assertEquals("Cancelled.", first.failure());
    assertEquals("Cancelled.", second.failure());
    assertEquals(1, calls.get());
  }

  /**
   * Tests that no chunk of a region or scan starts after a cancellation, even if chunks do not
   * check themselves.
   */
  @ParameterizedTest
  @MethodSource("schedulers")
  void noChunkBeginsInACancelledCall(Scheduling scheduling, int threads) throws Exception {
    for (boolean isScan : new boolean[] {false, true}) {
      CountDownLatch there = new CountDownLatch(1);
      CountDownLatch cancelled = new CountDownLatch(1);
      AtomicInteger begun = new AtomicInteger();
      JavaProgram.Chunk body =
          (c, from, to) -> {
            begun.incrementAndGet();
            there.countDown();
            await(cancelled);
          };
      JavaProgram program =
          new JavaProgram(
              ctx -> {
                if (isScan) {
                  scan(ctx, 640, 640, body, (c, f, t) -> {}, (c, f, t) -> {});
                } else {
                  inChunks(ctx, 640, 640, body);
                }
              });
      try (Context ctx = program.context(scheduling, threads)) {
        Caller caller = new Caller(ctx, program);
        there.await();
        ctx.cancel();
        cancelled.countDown();
        assertEquals("Cancelled.", caller.failure());
        assertTrue(begun.get() <= threads, begun + " chunks");
      }
    }
  }

  /**
   * Tests that a worker which waits for an earlier chunk of a scan checks for cancellation, even if
   * that chunk does not.
   */
  @ParameterizedTest
  @EnumSource(Scheduling.class)
  void whoWaitsInAScanLooksForCancellation(Scheduling scheduling) throws Exception {
    CountDownLatch both = new CountDownLatch(2);
    CountDownLatch enough = new CountDownLatch(1);
    AtomicReference<@Nullable Thread> waiter = new AtomicReference<>();
    JavaProgram program =
        new JavaProgram(
            ctx ->
                scan(
                    ctx,
                    2,
                    3,
                    (c, f, t) -> {
                      both.countDown();
                      if (c == 0) {
                        await(enough);
                      } else {
                        waiter.set(Thread.currentThread());
                      }
                    },
                    (c, f, t) -> {},
                    (c, f, t) -> {}));
    try (Context ctx = program.context(scheduling, 2)) {
      Caller caller = new Caller(ctx, program);
      both.await();
      ctx.cancel();
      long end = System.nanoTime() + SOON * 1_000_000;
      while (isInScan(waiter.get()) && System.nanoTime() < end) {
        Thread.sleep(1);
      }
      boolean isStillThere = isInScan(waiter.get());
      enough.countDown();
      assertEquals("Cancelled.", caller.failure());
      assertFalse(isStillThere, "it waits on");
    }
  }

  private static boolean isInScan(@Nullable Thread thread) {
    return thread == null
        || Stream.of(thread.getStackTrace())
            .anyMatch(f -> f.getClassName().equals(ChainedScan.class.getName()));
  }

  /**
   * Tests that cancelling interrupts a blocked program, and that the next call is not interrupted.
   */
  @ParameterizedTest
  @MethodSource("schedulers")
  void cancellingEndsWaitsOfPrograms(Scheduling scheduling, int threads) throws Exception {
    CountDownLatch there = new CountDownLatch(1);
    AtomicBoolean first = new AtomicBoolean(true);
    AtomicBoolean interrupted = new AtomicBoolean();
    JavaProgram program =
        new JavaProgram(
            ctx -> {
              if (first.getAndSet(false)) {
                there.countDown();
                while (!Thread.currentThread().isInterrupted()) {
                  LockSupport.park();
                }
                throw new FutharkError("woken");
              }
              interrupted.set(Thread.currentThread().isInterrupted());
            });
    try (Context ctx = program.context(scheduling, threads)) {
      Caller caller = new Caller(ctx, program);
      there.await();
      ctx.cancel();
      assertEquals("woken", caller.failure());
      ctx.run(program.entry);
      assertFalse(interrupted.get());
    }
  }

  /**
   * Tests that a cancelled call leaves no interrupt status for the next call on the same worker.
   */
  @ParameterizedTest
  @MethodSource("schedulers")
  void aCancelledCallLeavesNoInterrupt(Scheduling scheduling, int threads) {
    AtomicBoolean first = new AtomicBoolean(true);
    AtomicBoolean interrupted = new AtomicBoolean();
    JavaProgram program =
        new JavaProgram(
            ctx -> {
              if (first.getAndSet(false)) {
                ctx.cancel();
                ctx.checkCancelled();
              }
              interrupted.set(Thread.currentThread().isInterrupted());
            });
    try (Context ctx = program.context(scheduling, threads)) {
      ctx.inside(
          () -> {
            FutharkError e = assertThrows(FutharkError.class, () -> ctx.run(program.entry));
            assertEquals("Cancelled.", e.getMessage());
            return ctx.run(program.entry);
          });
    }
    assertFalse(interrupted.get());
  }

  /**
   * Tests that a call on its caller's own thread checks for interrupts itself, since no thread
   * waits for it.
   */
  @Test
  void callsByTheirCallersLookForInterrupts() {
    AtomicReference<@Nullable Call> call = new AtomicReference<>();
    AtomicBoolean watched = new AtomicBoolean();
    call.set(
        new Call(
            () -> {
              watched.set(Context.CANCELLING.watch.on());
              call.get().check();
              Thread.currentThread().interrupt();
              call.get().check();
              return new Value[0];
            },
            true));
    FutharkError e = assertThrows(FutharkError.class, () -> call.get().call());
    assertTrue(Thread.interrupted());
    assertEquals("Interrupted.", e.getMessage());
    assertTrue(watched.get());
    assertFalse(Context.CANCELLING.watch.on());
  }

  @ParameterizedTest
  @MethodSource("schedulers")
  void closingEndsTheWorkersThoughTheySleep(Scheduling scheduling, int threads) throws Exception {
    Set<Thread> workers = ConcurrentHashMap.newKeySet();
    CyclicBarrier all = new CyclicBarrier(threads);
    JavaProgram program =
        new JavaProgram(
            ctx ->
                inChunks(
                    ctx,
                    threads,
                    threads,
                    (c, from, to) -> {
                      workers.add(Thread.currentThread());
                      meet(all);
                    }));
    try (Context ctx = program.context(scheduling, threads)) {
      ctx.run(program.entry);
      for (Thread worker : workers) {
        while (worker.getState() == Thread.State.RUNNABLE) {
          Thread.sleep(1);
        }
      }
    }
    assertEquals(threads, workers.size());
    for (Thread worker : workers) {
      worker.join(SOON);
      assertFalse(worker.isAlive(), worker.getName());
    }
  }

  /** Tests calls from the call itself, from a chunk of its regions, and through another context. */
  @ParameterizedTest
  @MethodSource("schedulers")
  void aCallCannotCallItsOwnContext(Scheduling scheduling, int threads) {
    AtomicReference<Consumer<Context>> body = new AtomicReference<>(ctx -> {});
    JavaProgram program = new JavaProgram(ctx -> body.get().accept(ctx));
    try (Context own = program.context(scheduling, threads)) {
      JavaProgram between = new JavaProgram(ctx -> own.run(program.entry));
      try (Context other = between.context(scheduling, threads)) {
        List<Consumer<Context>> bodies =
            List.of(
                ctx -> ctx.run(program.entry),
                ctx -> inChunks(ctx, 8, 8, (c, from, to) -> ctx.run(program.entry)),
                ctx -> other.run(between.entry),
                ctx -> inChunks(ctx, 8, 8, (c, from, to) -> other.run(between.entry)));
        for (Consumer<Context> bad : bodies) {
          body.set(bad);
          IllegalStateException e =
              assertThrows(IllegalStateException.class, () -> own.run(program.entry));
          assertEquals("a call cannot start another call of its own context", e.getMessage());
          body.set(Context::close);
          e = assertThrows(IllegalStateException.class, () -> own.run(program.entry));
          assertEquals("a call cannot close its own context", e.getMessage());
          body.set(ctx -> {});
          assertEquals(Scalar.bool(true), own.run(program.entry));
          assertEquals(Scalar.bool(true), other.run(between.entry));
        }
      }
    }
  }

  /**
   * Tests that calls from inside a context run on the same thread, with regions, failures, and
   * rejection of nested calls.
   */
  @ParameterizedTest
  @MethodSource("schedulers")
  void callsFromInsideAreNotHandedOver(Scheduling scheduling, int threads) {
    Set<Thread> leaders = new HashSet<>();
    AtomicInteger done = new AtomicInteger();
    AtomicReference<Consumer<Context>> body = new AtomicReference<>(ctx -> {});
    JavaProgram program = new JavaProgram(ctx -> body.get().accept(ctx));
    try (Context ctx = program.context(scheduling, threads)) {
      Thread worker =
          ctx.inside(
              () -> {
                body.set(
                    c -> {
                      leaders.add(Thread.currentThread());
                      inChunks(c, 40, 20, (chunk, from, to) -> done.incrementAndGet());
                    });
                for (int i = 0; i < 10; i++) {
                  assertEquals(Scalar.bool(true), ctx.run(program.entry));
                }
                body.set(c -> c.run(program.entry));
                assertThrows(IllegalStateException.class, () -> ctx.run(program.entry));
                body.set(
                    c -> {
                      throw new FutharkError("no");
                    });
                FutharkError e = assertThrows(FutharkError.class, () -> ctx.run(program.entry));
                assertEquals("no", e.getMessage());
                return Thread.currentThread();
              });
      assertEquals(Set.of(worker), leaders);
      assertEquals(200, done.get());
      assertThrows(
          FutharkError.class,
          () ->
              ctx.inside(
                  () -> {
                    throw new FutharkError("nor this");
                  }));
      body.set(c -> {});
      assertEquals(Scalar.bool(true), ctx.run(program.entry));
    }
  }

  /** Tests that interrupts of worker threads have no effect on regions. */
  @ParameterizedTest
  @MethodSource("schedulers")
  void interruptsOfWorkersDoNotEndARegionEarly(Scheduling scheduling, int threads) {
    if (threads == 1) {
      return;
    }
    JavaProgram.run(
        scheduling,
        threads,
        20,
        ctx -> {
          AtomicInteger done = new AtomicInteger();
          AtomicReference<@Nullable Thread> interrupted = new AtomicReference<>();
          inChunks(
              ctx,
              4,
              4,
              (c, from, to) -> {
                if (c == 0) {
                  interrupted.set(Thread.currentThread());
                  Thread.currentThread().interrupt();
                } else {
                  long end = System.nanoTime() + 2_000_000;
                  while (System.nanoTime() < end) {
                    Thread.onSpinWait();
                  }
                }
                done.incrementAndGet();
              });
          assertEquals(4, done.get());
          if (interrupted.get() == Thread.currentThread()) {
            assertTrue(Thread.interrupted(), "the interrupt is lost");
          }
        });
  }
}
