package futharkc.tests.oracle;

import futharkc.core.driver.Compiler;
import futharkc.core.driver.CompilerOptions;
import futharkc.core.driver.Source;
import futharkc.core.driver.failure.ProgramRejectedException;
import futharkc.core.language.Diagnostic;
import futharkc.core.language.DiagnosticException;
import futharkc.core.language.frontend.FrontEnd;
import futharkc.core.language.typed.EntryPoint;
import futharkc.core.runtime.Context;
import futharkc.core.runtime.FutharkError;
import futharkc.core.runtime.FutharkProgram;
import futharkc.core.runtime.OpaqueValue;
import futharkc.core.runtime.Opaques;
import futharkc.core.runtime.Value;
import futharkc.core.runtime.ValueType;
import futharkc.core.runtime.data.ValueWriter;
import futharkc.core.runtime.device.Device;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A comparison of programs with the oracle. */
final class OracleTrial {
  /** The maximal number of expressions that the oracle evaluates in one call. */
  private static final long STEPS = 400_000;

  /** The largest sizes of arguments, by round. */
  private static final int[] SIZES = {12, 3, 30};

  /** The counts of all trials. */
  static final class Counts {
    /** Accepted programs. */
    int programs;

    /** Calls with compared results, per target. */
    int compared;

    /** Calls that failed on both sides. */
    int failing;

    /** Calls that the oracle did not finish. */
    int open;

    /** Calls of compiled code, and those with a region of several tasks. */
    int compiled;

    int cut;

    /** Calls with arguments or results of types without a public representation. */
    int opaque;

    synchronized void add(Counts other) {
      programs += other.programs;
      compared += other.compared;
      failing += other.failing;
      open += other.open;
      compiled += other.compiled;
      cut += other.cut;
      opaque += other.opaque;
    }

    @Override
    public String toString() {
      return programs
          + " programs, "
          + compared
          + " results compared, "
          + failing
          + " calls fail on both sides, "
          + open
          + " given up, "
          + compiled
          + " compiled calls, of which "
          + cut
          + " in several tasks, "
          + opaque
          + " calls with opaque values";
    }
  }

  /**
   * A difference between a program and the oracle.
   *
   * @param kind a description that is equal for differences with probably the same cause
   */
  record Difference(String kind, String details) {}

  /** The calls so far with printable values, as test blocks for other compilers. */
  final StringBuilder blocks = new StringBuilder();

  /** The differences of the last program, one for each entry point with a difference. */
  final List<Difference> differences = new ArrayList<>();

  private final Compiler compiler = Compiler.create();
  private final Random random;
  private final double edges;
  private final Function<Configuration, @Nullable Device> devices;
  final Counts counts = new Counts();

  OracleTrial(long seed) {
    this(seed, 0, c -> null);
  }

  /**
   * Creates a trial.
   *
   * @param edges the probability of an argument at the edge of its type
   * @param devices the device of each configuration, or null
   */
  OracleTrial(long seed, double edges, Function<Configuration, @Nullable Device> devices) {
    this.random = new Random(seed);
    this.edges = edges;
    this.devices = devices;
  }

  /**
   * A way to run programs.
   *
   * @param name the unique name of this configuration
   */
  record Configuration(String name, String target, CompilerOptions options, int threads) {}

  /** The interpreter on the output of the front end, the reference for other configurations. */
  static final Configuration INTERPRETER =
      new Configuration(
          "interpreter", "interpreter", CompilerOptions.DEFAULT.withPasses("none"), 1);

  static final Configuration C = new Configuration("c", "c", CompilerOptions.DEFAULT, 1);

  static final Configuration MULTICORE =
      new Configuration("multicore", "multicore", CompilerOptions.DEFAULT, 3);

  /** A program that is loaded in one configuration. */
  private record Running(String target, FutharkProgram program, Context context) {
    futharkc.core.runtime.@Nullable EntryPoint entry(String name) {
      for (futharkc.core.runtime.EntryPoint e : program.entryPoints()) {
        if (e.name().equals(name)) {
          return e;
        }
      }
      return null;
    }
  }

  /** A value of an opaque type, in the oracle and on each target. */
  private record Known(Val value, Map<String, Value> there) {}

  /**
   * Runs all entry points of a program with random arguments. Arguments of abstract types are
   * results of earlier calls.
   *
   * @param compile true to compile for multicore as well
   * @param rounds the number of calls of each entry point
   * @return the first difference, or null
   */
  @Nullable Difference run(String text, boolean compile, int rounds) {
    return run(text, compile ? List.of(INTERPRETER, MULTICORE) : List.of(INTERPRETER), rounds);
  }

  /**
   * Runs all entry points in the given configurations, as {@link #run(String, boolean, int)} does;
   * the first configuration interprets.
   */
  @Nullable Difference run(String text, List<Configuration> configurations, int rounds) {
    FrontEnd.CheckedProgram checked;
    List<Running> running = new ArrayList<>();
    String at = "";
    try {
      try {
        checked = FrontEnd.check(FrontEnd.Options.text("random.fut", text));
      } catch (DiagnosticException e) {
        return new Difference(
            "rejected: " + reason(e.diagnostics()), String.valueOf(e.getMessage()));
      }
      try {
        for (Configuration c : configurations) {
          at = c.name;
          running.add(start(text, c));
        }
      } catch (ProgramRejectedException e) {
        return new Difference(
            "rejected: " + reason(e.diagnostics()), String.valueOf(e.getMessage()));
      } catch (RuntimeException | Error e) {
        return crash("compiler, " + at, e);
      }
      counts.programs++;
      Oracle oracle = new Oracle(checked, STEPS);
      Map<String, List<Known>> pool = new HashMap<>();
      differences.clear();
      Set<String> wrong = new HashSet<>();
      for (int round = 0; round < rounds; round++) {
        for (EntryPoint entry : checked.program().entryPoints()) {
          Difference found =
              wrong.contains(entry.name()) ? null : call(oracle, entry, running, pool, round);
          if (found != null) {
            wrong.add(entry.name());
            differences.add(found);
          }
        }
      }
      return differences.isEmpty() ? null : differences.getFirst();
    } finally {
      running.forEach(r -> r.context.close());
    }
  }

  private Running start(String text, Configuration c) {
    CompilerOptions options = c.options.withTarget(c.target).withThreads(1);
    FutharkProgram program =
        compiler.compile(Source.ofText("random.fut", text), options).instance();
    Context.Builder builder =
        Context.of(program, new PrintStream(OutputStream.nullOutputStream()))
            .threads(c.threads)
            .profiling(true);
    // These settings divide every region.
    builder.tuning("host.chunk_operations", 1);
    builder.tuning("host.sharing_operations", 1);
    Device device = devices.apply(c);
    if (device != null) {
      builder.accelerator(device);
    }
    return new Running(c.name, program, builder.build());
  }

  private @Nullable Difference call(
      Oracle oracle,
      EntryPoint entry,
      List<Running> running,
      Map<String, List<Known>> pool,
      int round) {
    futharkc.core.runtime.EntryPoint first = running.getFirst().entry(entry.name());
    if (first == null) {
      return new Difference("entry point lost", entry.name());
    }
    List<Known> args = new ArrayList<>();
    try {
      arguments(entry, first, running, pool, round, args);
    } catch (UnsupportedException e) {
      return null;
    }
    Oracle.Outcome expected = oracle.call(entry.name(), args.stream().map(Known::value).toList());
    if (expected instanceof Oracle.Outcome.Open) {
      counts.open++;
      return null;
    }
    String input = args.stream().map(a -> ValueConverter.show(a.value)).toList().toString();
    String where = entry.name() + input + "\n";
    if (expected instanceof Oracle.Outcome.Wrong w) {
      String kind = w.message().replaceAll("[_0-9]+", "#");
      return new Difference(
          "oracle: " + kind.substring(0, Math.min(kind.length(), 80)), where + w.message());
    }
    Map<String, Value> results = new HashMap<>();
    int failing = counts.failing;
    for (Running r : running) {
      Difference found = compare(r, entry.name(), args, expected, where, results);
      if (found != null) {
        return found;
      }
    }
    // A target may lose an error.
    boolean everywhere = counts.failing == failing + running.size();
    boolean printed = expected instanceof Oracle.Outcome.Returned || everywhere;
    String block =
        !printed ? null : block(entry.name(), args, expected, results.get(INTERPRETER.name));
    if (block != null) {
      blocks.append(block);
    }
    if (expected instanceof Oracle.Outcome.Returned e
        && first.result() instanceof ValueType.Opaque o) {
      pool.computeIfAbsent(o.name(), n -> new ArrayList<>()).add(new Known(e.value(), results));
      counts.opaque++;
    } else if (args.stream()
        .anyMatch(a -> !(a.value instanceof Val.Prim || a.value instanceof Val.Arr))) {
      counts.opaque++;
    }
    return null;
  }

  private static @Nullable String block(
      String entry, List<Known> args, Oracle.Outcome outcome, @Nullable Value result) {
    StringBuilder out = new StringBuilder("\n-- ==\n-- entry: " + entry + "\n-- input {");
    for (Known arg : args) {
      Value there = arg.there.get(INTERPRETER.name);
      if (there == null || there instanceof OpaqueValue) {
        return null;
      }
      out.append(' ').append(text(there));
    }
    out.append(" }\n");
    if (outcome instanceof Oracle.Outcome.Failed) {
      return out + "-- error:\n";
    }
    if (result == null) {
      return null;
    }
    List<Value> parts = List.of(result);
    if (result instanceof OpaqueValue o) {
      if (!(o.type().structure() instanceof ValueType.Record r) || !r.isTuple()) {
        return null;
      }
      parts = List.of(Opaques.unpack(o));
    }
    out.append("-- output {");
    for (Value part : parts) {
      if (part instanceof OpaqueValue) {
        return null;
      }
      out.append(' ').append(text(part));
    }
    return out + " }\n";
  }

  private static String text(Value value) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      ValueWriter out = new ValueWriter(bytes);
      out.text(value);
      out.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toString(StandardCharsets.UTF_8);
  }

  private void arguments(
      EntryPoint entry,
      futharkc.core.runtime.EntryPoint first,
      List<Running> running,
      Map<String, List<Known>> pool,
      int round,
      List<Known> args) {
    List<@Nullable Val> values =
        new Arguments(random, SIZES[round % SIZES.length], edges).of(entry);
    for (int i = 0; i < first.parameters().length; i++) {
      Val value = values.get(i);
      if (value == null) {
        List<Known> known = pool.get(first.parameters()[i].type().name());
        if (known == null) {
          throw new UnsupportedException("no value of an abstract type");
        }
        args.add(known.get(random.nextInt(known.size())));
        continue;
      }
      Map<String, Value> there = new HashMap<>();
      for (Running r : running) {
        futharkc.core.runtime.EntryPoint e = r.entry(entry.name());
        if (e != null) {
          there.put(r.target, ValueConverter.to(e.parameters()[i].type(), value));
        }
      }
      args.add(new Known(value, there));
    }
  }

  private @Nullable Difference compare(
      Running r,
      String name,
      List<Known> args,
      Oracle.Outcome expected,
      String where,
      Map<String, Value> results) {
    futharkc.core.runtime.EntryPoint entry = r.entry(name);
    if (entry == null) {
      return new Difference(r.target + ": entry point lost", name);
    }
    Value[] given = new Value[args.size()];
    for (int i = 0; i < given.length; i++) {
      Value arg = args.get(i).there.get(r.target);
      if (arg == null) {
        return new Difference(r.target + ": no argument", name);
      }
      given[i] = arg;
    }
    r.context.profile().clear();
    Value result;
    try {
      result = r.context.run(entry, given);
    } catch (FutharkError e) {
      if (expected instanceof Oracle.Outcome.Failed failed) {
        counts.failing++;
        String message = String.valueOf(e.getMessage());
        if (ErrorKind.of(message) != ErrorKind.of(failed.message())) {
          return new Difference(
              r.target + ": other error", where + failed.message() + "\nerror: " + message);
        }
        return null;
      }
      return new Difference(
          r.target + ": new error",
          where + "expected: " + show(expected) + "\nerror: " + e.getMessage());
    } catch (RuntimeException | Error e) {
      return crash(r.target, e);
    }
    if (!r.target.equals(INTERPRETER.name)) {
      counts.compiled++;
      boolean cut =
          r.context.profile().events().stream()
              .anyMatch(e -> Integer.parseInt(e.details().getOrDefault("tasks", "0")) > 1);
      if (cut) {
        counts.cut++;
      }
    }
    if (!(expected instanceof Oracle.Outcome.Returned wanted)) {
      // A compiled program may lose an error that no result depends on.
      return r.target.equals(INTERPRETER.name)
          ? new Difference(r.target + ": lost error", where + show(expected))
          : null;
    }
    results.put(r.target, result);
    Val got;
    try {
      got = ValueConverter.of(entry.result(), result);
    } catch (UnsupportedException e) {
      return null;
    }
    counts.compared++;
    String difference = ValueConverter.difference(wanted.value(), got, "result");
    return difference == null
        ? null
        : new Difference(
            r.target + ": other result",
            where
                + difference
                + "\nexpected: "
                + show(expected)
                + "\ngot: "
                + ValueConverter.show(got));
  }

  private static String show(Oracle.Outcome outcome) {
    return outcome instanceof Oracle.Outcome.Returned r
        ? ValueConverter.show(r.value())
        : outcome.toString();
  }

  private static String reason(List<Diagnostic> diagnostics) {
    return diagnostics.stream()
        .filter(d -> d.severity() == Diagnostic.Severity.ERROR)
        .map(d -> d.code() + " " + d.message().lines().findFirst().orElse(""))
        .findFirst()
        .orElse("")
        .replaceAll("[_0-9]+", "#");
  }

  private static Difference crash(String where, Throwable e) {
    Throwable root = e;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    StringBuilder details = new StringBuilder(where + ": " + e + "\n" + root + "\n");
    StackTraceElement[] trace = root.getStackTrace();
    for (int i = 0; i < Math.min(10, trace.length); i++) {
      details.append("  at ").append(trace[i]).append('\n');
    }
    return new Difference(
        where
            + ": "
            + root.getClass().getSimpleName()
            + (trace.length > 0 ? " at " + trace[0].getClassName() : ""),
        details.toString());
  }
}
