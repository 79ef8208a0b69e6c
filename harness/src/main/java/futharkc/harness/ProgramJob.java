package futharkc.harness;

import futharkc.core.driver.Compiled;
import futharkc.core.driver.Compiler;
import futharkc.core.driver.CompilerOptions;
import futharkc.core.driver.Source;
import futharkc.core.driver.failure.CompilerException;
import futharkc.core.driver.failure.ProgramRejectedException;
import futharkc.core.ir.Metrics;
import futharkc.core.ir.Rep;
import futharkc.core.language.Diagnostic;
import futharkc.core.runtime.EntryPoint;
import futharkc.core.runtime.FutharkError;
import futharkc.core.runtime.FutharkProgram;
import futharkc.core.runtime.TuningFile;
import futharkc.core.runtime.Value;
import futharkc.core.runtime.ValueType;
import futharkc.core.runtime.data.ValueReader;
import futharkc.harness.RunningProgram.CaseException;
import futharkc.harness.testing.DataFiles;
import futharkc.harness.testing.ResultComparison;
import futharkc.harness.testing.TestSpec;
import futharkc.harness.testing.TestSpecException;
import futharkc.harness.testing.TestSpecParser;
import futharkc.harness.testing.TextPattern;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The work of a worker on one program. */
final class ProgramJob implements AutoCloseable {
  private final Compiler compiler;
  private final Source source;
  private final Path path;
  private final Path folder;
  private final TestSettings settings;
  private final Map<String, TestUnits.Unit> units;
  private @Nullable Compiled compiled;
  private @Nullable String compileError;
  private @Nullable RunningProgram program;
  private @Nullable RunningProgram reference;

  /**
   * Reads a program. The program is compiled on first use.
   *
   * @throws IOException if the program cannot be read
   * @throws TestSpecException if its test blocks are malformed
   */
  ProgramJob(Compiler compiler, Job job) throws IOException, TestSpecException {
    this.compiler = compiler;
    path = Path.of(job.subject());
    Path parent = path.getParent();
    folder = parent == null ? Path.of("") : parent;
    source = Source.ofFile(path);
    settings = TestSettings.ofFields(job.settings());
    units =
        TestUnits.of(
            TestSpecParser.parse(settings.specText(source.text())), source.text(), settings);
  }

  /** Runs all units of the job and reports their outcomes. */
  void run(List<String> keys, JobRunner.Report report) {
    for (String key : keys) {
      report.started(key);
      TestUnits.Unit unit = units.get(key);
      report.finished(
          unit == null
              ? Outcome.failed(key, "the program's test blocks changed during the run")
              : outcome(key, unit.check()));
      if (program != null && program.hasLostDevice()) {
        report.spent();
        return;
      }
    }
  }

  private Outcome outcome(String key, TestUnits.Check check) {
    try {
      if (check instanceof TestUnits.Check.Run run && settings.mode() == TestSettings.Mode.BENCH) {
        return new Outcome(
            key,
            Outcome.Status.PASSED,
            "",
            Benchmark.run(program(), run, settings.bench()).toValues());
      }
      String wrong = whatIsWrong(check);
      return wrong == null ? Outcome.passed(key) : Outcome.failed(key, wrong);
    } catch (CaseException e) {
      return Outcome.failed(key, e.getMessage());
    } catch (FutharkError e) {
      return Outcome.failed(key, "run-time error: " + e.report());
    } catch (RuntimeException | StackOverflowError e) {
      StackTraceElement[] trace = e.getStackTrace();
      return Outcome.failed(key, e + (trace.length == 0 ? "" : "\n  at " + trace[0]));
    }
  }

  private @Nullable String whatIsWrong(TestUnits.Check check) throws CaseException {
    return switch (check) {
      case TestUnits.Check.Reject r -> rejection(r.error());
      case TestUnits.Check.Compile _ -> compile();
      case TestUnits.Check.Warning w -> warning(w.pattern());
      case TestUnits.Check.Nodes n -> nodes(n.structure());
      case TestUnits.Check.Run r -> caseResult(r.entryPoint(), r.testCase());
      case TestUnits.Check.Property p -> property(p.name());
    };
  }

  /**
   * Returns the error in the rejection of the program, or null if the program is rejected as
   * expected.
   */
  private @Nullable String rejection(TestSpec.ExpectedError error) {
    try {
      Compiler.check(source);
      return "expected a rejection of the program, but it is accepted";
    } catch (ProgramRejectedException e) {
      return error.accepts(e.getMessage())
          ? null
          : "expected a rejection with \"" + error.pattern() + "\", got:\n" + e.getMessage();
    }
  }

  /** Returns the reason why the program does not compile, or null if it does. */
  private @Nullable String compile() {
    if (compiled != null || compileError != null) {
      return compileError;
    }
    try {
      if (settings.mode() == TestSettings.Mode.CHECK) {
        Compiler.check(source);
        return null;
      }
      if (settings.mode() == TestSettings.Mode.INTERNALISE) {
        var unused = compiler.optimise(source, options(), null);
        return null;
      }
      Compiled made = compile(settings.backend());
      if (!settings.interpreted()) {
        made.sources();
      }
      compiled = made;
    } catch (CompilerException e) {
      compileError = "compilation failed: " + e.getMessage();
    }
    return compileError;
  }

  private Compiled compile(String backend) {
    if (backend.equals("interpreter")) {
      return compiler.optimise(source, options(), null);
    }
    return compiler.compile(source, options().withTarget(backend));
  }

  private CompilerOptions options() {
    CompilerOptions options = CompilerOptions.DEFAULT.withThreads(1);
    String passes = settings.passes();
    String plan = settings.plan();
    return passes != null ? options.withPasses(passes) : options.withPlan(plan);
  }

  private @Nullable String warning(TextPattern pattern) {
    List<Diagnostic> warnings;
    try {
      Compiled made = compiler.optimise(source, options(), null);
      warnings = made.warnings();
    } catch (ProgramRejectedException e) {
      return e.getMessage();
    }
    String all = warnings.stream().map(Diagnostic::toString).collect(Collectors.joining("\n"));
    return pattern.occursIn(all)
        ? null
        : "no warning matches \""
            + pattern
            + "\"; the warnings are: "
            + (all.isEmpty() ? "none" : all);
  }

  /** Returns the wrong counts of nodes as text, or null if all counts are right. */
  private @Nullable String nodes(TestSpec.Structure structure) {
    Rep rep =
        switch (structure.pipeline()) {
          case GPU -> Rep.GPU;
          case GPU_MEM -> Rep.GPU_MEM;
          case MC -> Rep.MC;
          case MC_MEM -> Rep.MC_MEM;
          case SEQ_MEM -> Rep.SEQ_MEM;
          case SOACS -> Rep.SOACS;
          case INTERNALISED -> null;
        };
    Map<String, Integer> counts;
    try {
      counts = Metrics.of(compiler.optimise(source, options(), rep).program());
    } catch (CompilerException e) {
      return "compilation failed: " + e.getMessage();
    }
    String wrong =
        structure.counts().entrySet().stream()
            .filter(e -> !e.getValue().equals(counts.getOrDefault(e.getKey(), 0)))
            .map(
                e ->
                    e.getKey()
                        + ": "
                        + counts.getOrDefault(e.getKey(), 0)
                        + " instead of "
                        + e.getValue())
            .collect(Collectors.joining("; "));
    return wrong.isEmpty() ? null : wrong;
  }

  /** Returns the loaded program. */
  private RunningProgram program() throws CaseException {
    RunningProgram running = program;
    if (running == null) {
      String error = compile();
      if (error != null || compiled == null) {
        throw new CaseException(error == null ? "the program was not compiled" : error);
      }
      running = load(compiled, settings.backend());
      program = running;
    }
    return running;
  }

  private RunningProgram load(Compiled made, String backend) throws CaseException {
    FutharkProgram loaded =
        backend.equals("interpreter")
            ? compiler.interpreted(made.program(), source.name())
            : made.instance();
    return new RunningProgram(loaded, settings, folder, tuning(), settings.bench().profile());
  }

  private List<TuningFile.Setting> tuning() throws CaseException {
    Path file = Path.of(path + "." + settings.tuning());
    if (settings.tuning().isEmpty() || !Files.exists(file)) {
      return List.of();
    }
    try {
      return TuningFile.read(file);
    } catch (IOException e) {
      throw new CaseException("cannot read tuning file " + file + ": " + e.getMessage());
    } catch (TuningFile.MalformedException e) {
      throw new CaseException(String.valueOf(e.getMessage()));
    }
  }

  /**
   * Returns the reference, another compiled form of the program. It computes expected results that
   * no file contains.
   */
  private RunningProgram reference() throws CaseException {
    RunningProgram running = reference;
    if (running == null) {
      String backend = settings.backend().equals("c") ? "multicore" : "c";
      try {
        running = load(compile(backend), backend);
      } catch (CompilerException e) {
        throw new CaseException("the reference does not compile: " + e.getMessage());
      }
      reference = running;
    }
    return running;
  }

  /** Returns the report about a property that does not hold, or null. */
  private @Nullable String property(String name) throws CaseException {
    RunningProgram running = program();
    try {
      return PropertyTest.failure(running, name, settings.properties());
    } finally {
      running.trim();
    }
  }

  /** Returns the error of a run, or null if the run ends as expected. */
  private @Nullable String caseResult(String entryPoint, TestSpec.Case testCase)
      throws CaseException {
    RunningProgram running = program();
    EntryPoint entry = running.entry(entryPoint);
    try {
      Value result = running.once(entry, testCase.input());
      running.trim();
      try {
        List<Value> results = RunningProgram.components(result);
        if (testCase.expected() instanceof TestSpec.Success(TestSpec.Result expected)) {
          return expected == null
              ? null
              : difference(
                  results,
                  RunningProgram.components(entry.result()),
                  expected,
                  entryPoint,
                  testCase);
        }
      } finally {
        running.drop(result);
        running.trim();
      }
    } catch (FutharkError e) {
      return switch (testCase.expected()) {
        case TestSpec.Success _ -> "run-time error: " + e.report();
        case TestSpec.RunTimeError(TestSpec.ExpectedError error) ->
            error.accepts("Error: " + e.report())
                ? null
                : "expected a run-time error with \"" + error.pattern() + "\", got: " + e.report();
      };
    }
    return "expected a run-time error, but the run succeeded";
  }

  /** Returns the difference between actual and expected results, or null if they are equal. */
  private @Nullable String difference(
      List<Value> results,
      List<ValueType> types,
      TestSpec.Result expected,
      String entryPoint,
      TestSpec.Case testCase)
      throws CaseException {
    try {
      return switch (expected) {
        case TestSpec.Literals l ->
            ResultComparison.difference(
                results, DataFiles.readAll(ValueReader.ofText(l.text()), types));
        case TestSpec.DataFile f ->
            ResultComparison.difference(results, DataFiles.read(folder.resolve(f.path()), types));
        case TestSpec.ReferenceResult _ -> {
          RunningProgram other = reference();
          Value result = other.once(other.entry(entryPoint), testCase.input());
          try {
            yield ResultComparison.difference(results, RunningProgram.components(result));
          } finally {
            other.drop(result);
            other.trim();
          }
        }
      };
    } catch (IOException e) {
      throw new CaseException("cannot read the expected result: " + e.getMessage());
    }
  }

  @Override
  public void close() {
    if (program != null) {
      program.close();
    }
    if (reference != null) {
      reference.close();
    }
  }
}
