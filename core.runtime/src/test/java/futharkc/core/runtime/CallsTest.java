package futharkc.core.runtime;

import static futharkc.core.runtime.JavaProgram.inChunks;
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
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Calls of one context: how they are cancelled and interrupted, and how they wait for each other.
 */
@Timeout(120)
class CallsTest {
  /** Far more than the 100 ms that a program may take, for machines that are busy. */
  private static final long SOON = 20_000;

  static Stream<Arguments> schedulers() {
    return Stream.of(Scheduling.values())
        .flatMap(s -> Stream.of(1, 2, 16).map(t -> Arguments.of(s, t)));
  }

  /** A place where a call can be when it is cancelled: runs until it is. */
  private enum Place {
    SEQUENTIAL_LOOP {
      @Override
      void stay(Context ctx, CountDownLatch there) {
        there.countDown();
        spin(ctx);
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
    /** Who opened the region waits for another's chunk, or the other way round. */
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
    /** All others wait for what comes before their chunks. */
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

    /** What generated code does in a loop. */
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

    /** How the call failed. */
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

  /** The next call neither brings it back to life nor waits for it. */
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

  /** A thread of a pool that waits for its call does not begin another task of the pool there. */
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

  /** Cancelling ends the call that runs, not those that wait; interrupting ends one that waits. */
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

  /** From the call itself, from a chunk of its regions, or through a call of another context. */
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
          assertEquals("a call cannot call its own context", e.getMessage());
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

  /** And they do what other calls do: regions, failures, refusing calls from within. */
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
                for (int i = 0; i < 10; i++)
                  assertEquals(Scalar.bool(true), ctx.run(program.entry));
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

  /** Interrupts of the threads of a region, which somebody's code might make, do no harm. */
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
          inChunks(
              ctx,
              4,
              4,
              (c, from, to) -> {
                if (c == 0) {
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
        });
  }
}
