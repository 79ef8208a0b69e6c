package futharkc.core.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.OutputStream;
import java.io.PrintStream;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/** A program whose only entry point runs Java code, with regions as in generated code. */
final class JavaProgram extends FutharkProgram {
  final EntryPoint entry;

  JavaProgram(Consumer<Context> body) {
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

  Context context(Scheduling scheduling, int threads) {
    PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream());
    return Context.of(this, nowhere).scheduling(scheduling).threads(threads).build();
  }

  /** Runs code several times in one context. */
  static void run(Scheduling scheduling, int threads, int times, Consumer<Context> body) {
    JavaProgram program = new JavaProgram(body);
    try (Context ctx = program.context(scheduling, threads)) {
      for (int i = 0; i < times; i++) {
        assertEquals(Scalar.bool(true), ctx.run(program.entry));
      }
    }
  }

  static void run(Scheduling scheduling, int threads, Consumer<Context> body) {
    run(scheduling, threads, 1, body);
  }

  /** The body of a parallel region. */
  interface Chunk {
    void run(int chunk, long from, long to);
  }

  /** Runs a parallel region. */
  static void inChunks(Context ctx, long n, int chunks, Chunk body) {
    ParallelRegion r =
        new ParallelRegion(ctx, n, chunks) {
          @Override
          protected void run(int chunk, long from, long to) {
            body.run(chunk, from, to);
          }
        };
    IntStream.range(0, r.begin()).parallel().forEach(r);
    r.end("region", "unknown");
  }

  /** Runs a chained scan. */
  static void scan(Context ctx, long n, int chunks, Chunk reduce, Chunk combine, Chunk scan) {
    ChainedScan r =
        new ChainedScan(ctx, n, chunks) {
          @Override
          protected void reduce(int chunk, long from, long to) {
            reduce.run(chunk, from, to);
          }

          @Override
          protected void combine(int chunk, long from, long to) {
            combine.run(chunk, from, to);
          }

          @Override
          protected void scan(int chunk, long from, long to) {
            scan.run(chunk, from, to);
          }
        };
    IntStream.range(0, r.begin()).parallel().forEach(r);
    r.end("scan", "unknown");
  }

  /** Waits for the other threads at a barrier, and fails if they do not arrive. */
  static void meet(CyclicBarrier barrier) {
    try {
      barrier.await(60, TimeUnit.SECONDS);
    } catch (InterruptedException | BrokenBarrierException | TimeoutException e) {
      throw new IllegalStateException("a worker is missing", e);
    }
  }

  /** Waits for a latch, also after an interrupt. */
  static void await(CountDownLatch latch) {
    boolean interrupted = false;
    while (true) {
      try {
        latch.await();
        break;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  static void pause(long milliseconds) {
    try {
      Thread.sleep(milliseconds);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
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
