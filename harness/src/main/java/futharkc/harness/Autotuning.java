package futharkc.harness;

import futharkc.core.driver.Compiler;
import futharkc.core.driver.CompilerOptions;
import futharkc.core.driver.Source;
import futharkc.core.driver.failure.CompilerException;
import futharkc.core.runtime.EntryPoint;
import futharkc.core.runtime.FutharkError;
import futharkc.core.runtime.FutharkProgram;
import futharkc.core.runtime.Value;
import futharkc.harness.RunningProgram.CaseException;
import futharkc.harness.testing.TestSpecException;
import futharkc.harness.testing.TestSpecParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * An autotuner of thresholds. It times the cases of a program's benchmarks on this machine and
 * writes the fastest thresholds to a tuning file, which tests and benchmarks read.
 */
public final class Autotuning {
  private final Path path;
  private final TestSettings settings;
  private final long seconds;
  private final Consumer<String> log;

  private Autotuning(Path path, TestSettings settings, long seconds, Consumer<String> log) {
    this.path = path;
    this.settings = settings;
    this.seconds = seconds;
    this.log = log;
  }

  /** An exception for a program that cannot be tuned. The message gives the reason. */
  public static final class Failure extends Exception {
    private static final long serialVersionUID = 1;

    private Failure(String message) {
      super(message, null, false, false);
    }
  }

  /**
   * Tunes a program and writes a tuning file. The file's name is the program's name and the
   * extension in the settings.
   *
   * @param settings the settings, including the benchmark settings
   * @param seconds the time limit of the first run of a case, in seconds; the limit of later runs
   *     is ten times the first run's time
   * @param log the consumer of progress messages
   * @return the thresholds by name; empty if the program has no thresholds to tune, and then no
   *     file is written
   * @throws Failure if the program does not compile, or no case runs
   * @throws IOException if a file cannot be read or written
   */
  public static Map<String, Long> tune(
      Path program, TestSettings settings, long seconds, Consumer<String> log)
      throws Failure, IOException {
    return new Autotuning(program, settings, seconds, log).run();
  }

  private Map<String, Long> run() throws Failure, IOException {
    Source source = Source.ofFile(path);
    Map<String, TestUnits.Unit> units;
    try {
      units =
          TestUnits.of(
              TestSpecParser.parse(settings.specText(source.text())), source.text(), settings);
    } catch (TestSpecException e) {
      throw new Failure(path + ": " + e.getMessage());
    }
    FutharkProgram loaded;
    try {
      CompilerOptions options = CompilerOptions.DEFAULT;
      String passes = settings.passes();
      options = passes != null ? options.withPasses(passes) : options.withPlan(settings.plan());
      loaded =
          Compiler.withPlugins(settings.pluginPath().stream().map(Path::of).toList())
              .compile(source, options.withTarget(settings.backend()))
              .instance();
    } catch (CompilerException e) {
      throw new Failure(String.valueOf(e.getMessage()));
    }
    List<ThresholdSearch.Threshold> thresholds = new ArrayList<>();
    for (FutharkProgram.TuningParameter p : loaded.tuningParameters()) {
      ThresholdSearch.Threshold t = ThresholdSearch.Threshold.of(p.name(), p.paramClass());
      if (t != null) {
        thresholds.add(t);
      }
    }
    if (thresholds.isEmpty()) {
      return Map.of();
    }
    Path parent = path.getParent();
    Path folder = parent == null ? Path.of("") : parent;
    try (RunningProgram running = new RunningProgram(loaded, settings, folder, List.of(), false)) {
      Timing cases = new Timing(running);
      units.forEach((key, unit) -> cases.add(key, unit));
      if (cases.count() == 0) {
        throw new Failure(path + ": no case can be timed");
      }
      Map<String, Long> found = new ThresholdSearch(cases, log).search(thresholds);
      if (!found.isEmpty()) {
        List<String> lines = new ArrayList<>();
        found.forEach((name, value) -> lines.add(name + "=" + value));
        Files.write(Path.of(path + "." + settings.tuning()), lines);
      }
      return found;
    } catch (CaseException e) {
      throw new Failure(path + ": " + e.getMessage());
    } catch (FutharkError e) {
      throw new Failure(path + ": " + e.report());
    }
  }

  /** The cases of the program with their prepared arguments. */
  private final class Timing implements ThresholdSearch.Cases {
    private record Ready(String key, EntryPoint entry, Value[] args) {}

    private final RunningProgram program;
    private final List<Ready> cases = new ArrayList<>();
    private final Map<String, NavigableSet<Long>> compared = new HashMap<>();

    Timing(RunningProgram program) {
      this.program = program;
      program
          .context()
          .setComparisons(
              (name, value, reached) ->
                  compared.computeIfAbsent(name, n -> new TreeSet<>()).add(value));
    }

    void add(String key, TestUnits.Unit unit) {
      if (!(unit.check() instanceof TestUnits.Check.Run run)
          || !unit.skip().isEmpty()
          || unit.tags().contains("notune")) {
        return;
      }
      try {
        EntryPoint entry = program.entry(run.entryPoint());
        Value[] args = program.repeatable(entry, run.testCase().input());
        double once = once(new Ready(key, entry, args));
        if (once > seconds * 1e9) {
          log.accept(key + ": skipped, a call takes over " + seconds + " seconds");
          program.drop(args);
        } else {
          cases.add(new Ready(key, entry, args));
        }
      } catch (CaseException | FutharkError e) {
        log.accept(key + ": skipped: " + e.getMessage());
      }
    }

    @Override
    public int count() {
      return cases.size();
    }

    @Override
    public ThresholdSearch.Measured run(int i, Map<String, Long> values, double limit) {
      for (FutharkProgram.TuningParameter p : program.context().program().tuningParameters()) {
        if (p.paramClass().startsWith("threshold(")) {
          program.context().setTuning(p.name(), values.getOrDefault(p.name(), 0L));
        }
      }
      Ready ready = cases.get(i);
      compared.clear();
      double nanos = Double.POSITIVE_INFINITY;
      try {
        nanos = once(ready);
        if (nanos <= limit) {
          double[] times = new double[settings.bench().runs()];
          for (int k = 0; k < times.length; k++) {
            times[k] = once(ready);
          }
          Arrays.sort(times);
          nanos = times[times.length / 2];
        }
      } catch (FutharkError e) {
        // A version that fails, for lack of memory for example, gets infinite time.
        log.accept(ready.key + " with " + values + ": " + e.getMessage());
      }
      return new ThresholdSearch.Measured(nanos, new HashMap<>(compared));
    }

    private double once(Ready ready) {
      Value[] copies = program.forRun(ready.entry, ready.args);
      try {
        long start = System.nanoTime();
        Value result = program.call(ready.entry, copies);
        long nanos = System.nanoTime() - start;
        program.drop(result);
        program.afterRun(ready.args, copies);
        return nanos;
      } catch (CaseException e) {
        throw new FutharkError(e.getMessage());
      }
    }
  }
}
