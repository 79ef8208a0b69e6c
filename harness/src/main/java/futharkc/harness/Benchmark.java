package futharkc.harness;

import futharkc.core.runtime.EntryPoint;
import futharkc.core.runtime.MemoryUse;
import futharkc.core.runtime.Profile;
import futharkc.core.runtime.Value;
import futharkc.core.runtime.executable.Report;
import futharkc.harness.RunningProgram.CaseException;
import java.util.LinkedHashMap;
import java.util.Map;

/** A timer of test cases. */
final class Benchmark {
  private Benchmark() {}

  /**
   * Measures a case.
   *
   * @throws CaseException if the case cannot be run
   */
  static Measurement run(
      RunningProgram program, TestUnits.Check.Run run, TestSettings.BenchSettings settings)
      throws CaseException {
    EntryPoint entry = program.entry(run.entryPoint());
    Value[] args = program.repeatable(entry, run.testCase().input());
    try {
      Measurement measured =
          new Sampling(() -> once(program, entry, args), System::nanoTime).measure(settings);
      Map<String, Long> peaks = new LinkedHashMap<>();
      for (MemoryUse use : program.context().memoryUse()) {
        peaks.put(use.space().replace("default space", "default"), use.peakBytes());
      }
      Measurement.FurtherRun further =
          settings.profile() ? profile(program, entry, args) : new Measurement.FurtherRun("", "");
      return new Measurement(peaks, measured.warmUp(), measured.times(), further);
    } catch (FailedRun e) {
      throw e.cause;
    } finally {
      program.drop(args);
    }
  }

  /** Returns the report and the log of a further run. */
  private static Measurement.FurtherRun profile(
      RunningProgram program, EntryPoint entry, Value[] args) {
    Profile profile = program.context().profile();
    profile.pause(false);
    program.startLog();
    String log;
    String report;
    try {
      var unused = once(program, entry, args);
      report = Report.json(program.context());
    } finally {
      log = program.endLog();
      profile.pause(true);
      profile.clear();
    }
    return new Measurement.FurtherRun(report, log);
  }

  private static long once(RunningProgram program, EntryPoint entry, Value[] args) {
    Value[] copies = program.forRun(entry, args);
    try {
      long start = System.nanoTime();
      Value result = program.call(entry, copies);
      long micros = Math.max(1, (System.nanoTime() - start) / 1000);
      program.drop(result);
      program.afterRun(args, copies);
      return micros;
    } catch (CaseException e) {
      throw new FailedRun(e);
    }
  }

  /** A carrier of a checked exception through {@link Sampling}. */
  private static final class FailedRun extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient CaseException cause;

    FailedRun(CaseException cause) {
      super(cause);
      this.cause = cause;
    }
  }
}
