package futharkc.tests.oracle;

import futharkc.core.driver.Compiler;
import futharkc.core.driver.CompilerOptions;
import futharkc.core.driver.Source;
import futharkc.core.driver.failure.PlanException;
import futharkc.core.driver.plugin.Registry.RegisteredPass;
import futharkc.core.ir.spi.PassInfo;
import futharkc.tests.oracle.OracleTrial.Configuration;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A command that compares the programs in files with the oracle: {@code OracleFiles ROUNDS
 * FILE...}. The command calls all entry points with random arguments, in the interpreter and
 * compiled for targets. Properties:
 *
 * <ul>
 *   <li>{@code -Doracle.targets}: the targets; multicore by default
 *   <li>{@code -Doracle.passes}: also toggle each pass of the default plan, and run each pass alone
 *   <li>{@code -Doracle.workers}: the number of files at a time
 *   <li>{@code -Doracle.seconds}: the time limit, in seconds, after which no file starts
 *   <li>{@code -Doracle.blocks=FOLDER}: the folder for the programs with the calls as test blocks,
 *       for other compilers
 * </ul>
 */
public final class OracleFiles {
  private final OracleTrial.Counts counts = new OracleTrial.Counts();
  private final int rounds;
  private final List<Configuration> configurations;
  private final long begun = System.nanoTime();
  private int compared;
  private int wrong;

  private OracleFiles(int rounds, List<Configuration> configurations) {
    this.rounds = rounds;
    this.configurations = configurations;
  }

  /** Runs the command that the class comment describes. */
  public static void main(String[] args) throws InterruptedException {
    OracleFiles files = new OracleFiles(Integer.parseInt(args[0]), configurations());
    try (ExecutorService workers =
        Executors.newFixedThreadPool(
            Integer.getInteger("oracle.workers", 1),
            r -> new Thread(null, r, "oracle", 1L << 28))) {
      for (int i = 1; i < args.length; i++) {
        Path file = Path.of(args[i]);
        long seed = i;
        workers.execute(() -> files.compare(file, seed));
      }
      workers.shutdown();
      workers.awaitTermination(1, TimeUnit.DAYS);
    }
    System.out.println(
        files.configurations.size()
            + " configurations, "
            + files.counts
            + "; "
            + files.compared
            + " of "
            + (args.length - 1)
            + " files, "
            + files.wrong
            + " differ");
  }

  private static List<Configuration> configurations() {
    List<Configuration> all = new ArrayList<>(List.of(OracleTrial.INTERPRETER));
    // Options without contraction, so that floats equal the oracle's.
    CompilerOptions exact = CompilerOptions.DEFAULT.withPasses("-contraction");
    for (String target : System.getProperty("oracle.targets", "multicore").split(",", -1)) {
      all.add(new Configuration(target, target, exact, 3));
      if (System.getProperty("oracle.passes") == null) {
        continue;
      }
      for (RegisteredPass p : Compiler.create().registry().passes().values()) {
        PassInfo info = p.pass().info();
        if (info.name().equals("contraction")) {
          continue;
        }
        String other = (info.inDefault() ? "-" : "+") + info.name() + ",-contraction";
        for (String passes : List.of(other, info.name())) {
          CompilerOptions options = CompilerOptions.DEFAULT.withPasses(passes);
          if (!isPossible(options.withTarget(target))) {
            continue;
          }
          all.add(new Configuration(target + " " + passes, target, options, 3));
        }
      }
    }
    return all;
  }

  /** Tests whether these passes lead to the target; some passes are for other targets. */
  private static boolean isPossible(CompilerOptions options) {
    try {
      Compiler.create().compile(Source.ofText("any.fut", "def main (x: i64) = x"), options);
      return true;
    } catch (PlanException e) {
      return false;
    }
  }

  private void compare(Path file, long seed) {
    long seconds = (System.nanoTime() - begun) / 1_000_000_000;
    if (seconds >= Long.getLong("oracle.seconds", Long.MAX_VALUE)) {
      return;
    }
    String text;
    try {
      text = Files.readString(file);
      OracleTrial trial = new OracleTrial(seed);
      OracleTrial.Difference found = trial.run(text, configurations, rounds);
      report(file, trial, found);
      String folder = System.getProperty("oracle.blocks");
      if (folder != null) {
        Files.createDirectories(Path.of(folder));
        Files.writeString(Path.of(folder).resolve(file.getFileName()), text + "\n" + trial.blocks);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private synchronized void report(
      Path file, OracleTrial trial, OracleTrial.@Nullable Difference found) {
    counts.add(trial.counts);
    compared++;
    if (found == null && trial.counts.compared > 0) {
      return;
    }
    wrong++;
    System.out.println(file + ": " + (found == null ? "nothing compared" : found.kind()));
    if (found != null) {
      System.out.println(found.details().indent(2));
    }
  }
}
