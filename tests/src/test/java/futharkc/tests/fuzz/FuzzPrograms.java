package futharkc.tests.fuzz;

import futharkc.tests.kit.source.RandomProgram;
import futharkc.tests.kit.source.Shrinking;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A command that tries many random programs: {@code FuzzPrograms FIRST COUNT [EVERY [SIZE [THREADS
 * [FOLDER]]]]}.
 *
 * <p>{@code FIRST} and {@code COUNT} are the seeds. The command also compiles every {@code
 * EVERY}-th program (default 40; 0 for none) for multicore. The command writes a smallest program
 * for each kind of failure to the folder.
 */
public final class FuzzPrograms {
  private static final long LIMIT_MILLIS = 30_000;

  private final long first;
  private final long count;
  private final int every;
  private final int size;
  private final Path folder;
  private final PrintStream out;
  private final AtomicLong next = new AtomicLong();
  private final Map<String, Integer> kinds = new TreeMap<>();
  private final long begin = System.nanoTime();

  private FuzzPrograms(long first, long count, int every, int size, Path folder, PrintStream out) {
    this.first = first;
    this.count = count;
    this.every = every;
    this.size = size;
    this.folder = folder;
    this.out = out;
  }

  /** Runs the command that the class comment describes. */
  public static void main(String[] args) throws Exception {
    int every = args.length > 2 ? Integer.parseInt(args[2]) : 40;
    int size = args.length > 3 ? Integer.parseInt(args[3]) : 14;
    int threads = args.length > 4 ? Integer.parseInt(args[4]) : 2;
    Path folder = Path.of(args.length > 5 ? args[5] : "fuzz");
    Files.createDirectories(folder);
    FuzzPrograms fuzz =
        new FuzzPrograms(
            Long.parseLong(args[0]), Long.parseLong(args[1]), every, size, folder, System.out);
    fuzz.run(threads);
  }

  private void run(int threads) throws InterruptedException {
    Thread[] workers = new Thread[threads];
    for (int i = 0; i < threads; i++) {
      workers[i] = new Thread(this::work);
      workers[i].start();
    }
    for (Thread worker : workers) {
      worker.join();
    }
    out.printf(
        "%d programs in %.1f s, %d failures%n",
        count, (System.nanoTime() - begin) / 1e9, kinds.values().stream().mapToInt(x -> x).sum());
    kinds.forEach((kind, n) -> out.println(n + " " + kind));
  }

  private void work() {
    Trial trial = new Trial();
    while (true) {
      long i = next.getAndIncrement();
      if (i >= count) {
        return;
      }
      if (i % 500 == 499) {
        out.printf("%d after %.1f s%n", i + 1, (System.nanoTime() - begin) / 1e9);
      }
      long seed = first + i;
      RandomProgram program = RandomProgram.of(seed, size);
      Trial.Settings settings = new Trial.Settings(2, every > 0 && i % every == every - 1);
      Trial.Failure failure = limited(trial, program, seed, settings);
      if (failure != null && first(failure.kind())) {
        report(trial, program, seed, settings, failure);
      }
    }
  }

  private boolean first(String kind) {
    synchronized (kinds) {
      return kinds.merge(kind, 1, Integer::sum) == 1;
    }
  }

  private static Trial.@Nullable Failure limited(
      Trial trial, RandomProgram program, long seed, Trial.Settings settings) {
    AtomicReference<Trial.@Nullable Failure> result = new AtomicReference<>();
    Thread thread =
        new Thread(
            () -> {
              try {
                result.set(trial.run(program, seed, settings));
              } catch (RuntimeException | Error e) {
                result.set(
                    new Trial.Failure(
                        "harness " + e, java.util.Arrays.toString(e.getStackTrace())));
              }
            });
    thread.setDaemon(true);
    thread.start();
    try {
      thread.join(LIMIT_MILLIS);
      if (thread.isAlive()) {
        StringBuilder where = new StringBuilder("too slow\n");
        for (StackTraceElement e : thread.getStackTrace()) {
          where.append("  at ").append(e).append("\n");
        }
        thread.interrupt();
        return new Trial.Failure("hang", where.toString());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return result.get();
  }

  private void report(
      Trial trial,
      RandomProgram program,
      long seed,
      Trial.Settings settings,
      Trial.Failure failure) {
    RandomProgram small =
        failure.kind().equals("hang")
            ? program
            : Shrinking.shrink(
                program,
                p -> {
                  Trial.Failure again = limited(trial, p, seed, settings);
                  return again != null && again.kind().equals(failure.kind());
                },
                1500);
    Trial.Failure last =
        failure.kind().equals("hang") ? failure : limited(trial, small, seed, settings);
    String text =
        "-- seed "
            + seed
            + ": "
            + failure.kind()
            + "\n"
            + small.text()
            + "\n"
            + (last == null ? failure : last).details().indent(1).replaceAll("(?m)^", "-- ");
    Path file = folder.resolve(seed + ".fut");
    try {
      Files.writeString(file, text);
    } catch (IOException e) {
      out.println(e);
    }
    out.println(file + ": " + failure.kind());
    out.flush();
  }
}
