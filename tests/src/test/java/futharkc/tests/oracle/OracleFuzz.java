package futharkc.tests.oracle;

import futharkc.tests.kit.source.ModularPrograms;
import futharkc.tests.kit.source.RandomProgram;
import futharkc.tests.kit.source.Shrinking;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * A command that compares many random programs with the oracle: {@code OracleFuzz KIND FIRST COUNT
 * EVERY THREADS FOLDER SECONDS}. The command also compiles every {@code EVERY}-th program. The
 * command writes a smallest program for each kind of difference to the folder.
 */
public final class OracleFuzz {
  private final LongFunction<RandomProgram> programs;
  private final long first;
  private final long count;
  private final int every;
  private final Path folder;
  private final long end;
  private final AtomicLong next = new AtomicLong();
  private final Map<String, Integer> kinds = new TreeMap<>();
  private final OracleTrial.Counts counts = new OracleTrial.Counts();

  private OracleFuzz(String[] args) {
    this.programs = kind(args[0]);
    this.first = Long.parseLong(args[1]);
    this.count = Long.parseLong(args[2]);
    this.every = Integer.parseInt(args[3]);
    this.folder = Path.of(args[5]);
    this.end = System.nanoTime() + Long.parseLong(args[6]) * 1_000_000_000L;
  }

  static LongFunction<RandomProgram> kind(String name) {
    return name.equals("modular")
        ? seed -> ModularPrograms.of(seed, 4)
        : seed -> RandomProgram.of(seed, 10);
  }

  /** Runs the command that the class comment describes. */
  public static void main(String[] args) throws Exception {
    OracleFuzz fuzz = new OracleFuzz(args);
    Files.createDirectories(fuzz.folder);
    Thread[] workers = new Thread[Integer.parseInt(args[4])];
    for (int i = 0; i < workers.length; i++) {
      workers[i] = new Thread(null, fuzz::work, "fuzz", 1L << 28);
      workers[i].start();
    }
    for (Thread worker : workers) {
      worker.join();
    }
    System.out.println(fuzz.counts);
    fuzz.kinds.forEach((kind, n) -> System.out.println(n + " " + kind));
  }

  private void work() {
    while (System.nanoTime() < end) {
      long i = next.getAndIncrement();
      if (i >= count) {
        return;
      }
      long seed = first + i;
      boolean compile = every > 0 && i % every == every - 1;
      RandomProgram program = programs.apply(seed);
      OracleTrial trial = new OracleTrial(seed);
      OracleTrial.@Nullable Difference found = trial.run(program.text(), compile, 2);
      counts.add(trial.counts);
      if (i % 500 == 499) {
        System.out.println((i + 1) + ": " + counts);
      }
      if (found != null && isNew(found.kind())) {
        report(program, seed, compile, found);
      }
    }
  }

  private boolean isNew(String kind) {
    synchronized (kinds) {
      return kinds.merge(kind, 1, Integer::sum) == 1;
    }
  }

  private void report(
      RandomProgram program, long seed, boolean compile, OracleTrial.Difference found) {
    RandomProgram small =
        Shrinking.shrink(
            program,
            p -> {
              OracleTrial.Difference again = new OracleTrial(seed).run(p.text(), compile, 2);
              return again != null && again.kind().equals(found.kind());
            },
            600);
    OracleTrial.Difference last = new OracleTrial(seed).run(small.text(), compile, 2);
    String details = (last == null ? found : last).details();
    String text =
        "-- seed "
            + seed
            + ": "
            + found.kind()
            + "\n"
            + small.text()
            + "\n"
            + details.indent(1).replaceAll("(?m)^", "-- ");
    try {
      Files.writeString(folder.resolve(seed + ".fut"), text);
    } catch (IOException e) {
      System.out.println(e);
    }
    System.out.println(seed + ": " + found.kind());
    System.out.flush();
  }
}
