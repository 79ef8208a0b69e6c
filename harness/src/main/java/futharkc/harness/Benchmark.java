package futharkc.harness;

import futharkc.core.runtime.EntryPoint;
import futharkc.core.runtime.MemoryUse;
import futharkc.core.runtime.Value;
import futharkc.harness.RunningProgram.CaseException;
import java.util.ArrayList;
import java.util.List;

/**
 * A timer of test cases. It makes one warm-up run, then at least the requested number of runs and
 * half a second of runs. Then, unless switched off, it continues until the times are steady.
 */
final class Benchmark {
  private static final long LEAST_NANOS = 500_000_000;

  private Benchmark() {}

  /**
   * Returns the measurements of a case: {@code space=bytes} for the peak use of each memory space,
   * the host first, then the time of each run in microseconds.
   *
   * @throws CaseException if the case cannot be run
   */
  static List<String> run(
      RunningProgram program, TestUnits.Check.Run run, TestSettings.BenchSettings settings)
      throws CaseException {
    EntryPoint entry = program.entry(run.entryPoint());
    Value[] args = program.repeatable(entry, run.testCase().input());
    once(program, entry, args);
    List<Long> micros = new ArrayList<>();
    long start = System.nanoTime();
    while (micros.size() < settings.runs() || System.nanoTime() - start < LEAST_NANOS) {
      micros.add(once(program, entry, args));
    }
    long limit = start + settings.maxSeconds() * 1_000_000_000L;
    while (settings.converge()
        && !ConvergenceCriterion.isSteady(micros)
        && System.nanoTime() < limit) {
      int more = Math.max(1, micros.size() / 2);
      for (int i = 0; i < more && System.nanoTime() < limit; i++) {
        micros.add(once(program, entry, args));
      }
    }
    program.drop(args);
    List<String> values = new ArrayList<>();
    for (MemoryUse use : program.context().memoryUse()) {
      values.add(use.space().replace("default space", "default") + "=" + use.peakBytes());
    }
    micros.forEach(m -> values.add(Long.toString(m)));
    return values;
  }

  private static long once(RunningProgram program, EntryPoint entry, Value[] args)
      throws CaseException {
    Value[] copies = program.forRun(entry, args);
    long start = System.nanoTime();
    Value result = program.call(entry, copies);
    long micros = Math.max(1, (System.nanoTime() - start) / 1000);
    program.drop(result);
    program.afterRun(args, copies);
    return micros;
  }
}
