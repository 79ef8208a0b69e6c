package futharkc.tests.fuzz;

import futharkc.core.driver.Compiled;
import futharkc.core.driver.Compiler;
import futharkc.core.driver.CompilerOptions;
import futharkc.core.driver.Source;
import futharkc.core.driver.failure.ProgramRejectedException;
import futharkc.core.ir.Program;
import futharkc.core.runtime.ArrayValue;
import futharkc.core.runtime.Context;
import futharkc.core.runtime.FutharkError;
import futharkc.core.runtime.FutharkProgram;
import futharkc.core.runtime.Opaques;
import futharkc.core.runtime.Value;
import futharkc.core.runtime.device.Device;
import futharkc.core.runtime.device.DeviceOptions;
import futharkc.tests.kit.source.RandomProgram;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Tries random programs on a device, by hand: {@code FuzzDevices TARGET FIRST COUNT SIZE FOLDER}.
 *
 * <p>Each is compiled for the target and called with three inputs, each with its own choice among
 * versions of nested code; the interpreter says what has to come out. Programs that go wrong are
 * left in the folder, with a line each on standard output. What never ends on a device cannot be
 * stopped, and what breaks it may break it for the process: then this process ends with status 3
 * after saying {@code next SEED}, which is where another one is to go on.
 */
public final class FuzzDevices {
  private static final long LIMIT_MILLIS = 60_000;

  /** The outermost version where there is one, the default's choice, the innermost. */
  private static final long[] THRESHOLDS = {1, 0, 1 << 30};

  private final Compiler compiler = Compiler.create();
  private final Trial trial = new Trial();

  /** Floats are as the interpreter's without multiply-adds. */
  private final CompilerOptions options;

  private final int size;
  private final PrintStream out;
  private final Device device;
  private int results;
  private int calls;

  private FuzzDevices(String target, int size, PrintStream out) {
    this.options = CompilerOptions.DEFAULT.withTarget(target).withPasses("-contraction");
    this.size = size;
    this.out = out;
    Compiled any =
        compiler.compile(
            Source.ofText("any.fut", "entry main (n: i64) = n"),
            CompilerOptions.DEFAULT.withTarget(target));
    device = any.openDevice(DeviceOptions.DEFAULT);
  }

  /** See the class. */
  public static void main(String[] args) throws Exception {
    long first = Long.parseLong(args[1]);
    long count = Long.parseLong(args[2]);
    Path folder = Path.of(args[4]);
    Files.createDirectories(folder);
    FuzzDevices fuzz = new FuzzDevices(args[0], Integer.parseInt(args[3]), System.out);
    int failures = 0;
    int programs = 0;
    for (long seed = first; seed < first + count; seed++) {
      RandomProgram program = RandomProgram.of(seed, fuzz.size);
      String failure = fuzz.limited(program, seed);
      programs++;
      if (failure != null) {
        failures++;
        String kind = failure.lines().findFirst().orElse("");
        fuzz.out.println("seed " + seed + ": " + kind);
        Files.writeString(
            folder.resolve(seed + ".fut"),
            program.text() + "\n" + failure.indent(1).replaceAll("(?m)^", "-- "));
        if (kind.startsWith("hang") || fuzz.device.resets() > 0) {
          fuzz.say(programs, failures);
          fuzz.out.println("next " + (seed + 1));
          fuzz.out.flush();
          Runtime.getRuntime().halt(3);
        }
      }
    }
    fuzz.say(programs, failures);
    fuzz.out.flush();
    Runtime.getRuntime().halt(0);
  }

  private void say(int programs, int failures) {
    out.printf(
        "%d programs, %d calls, %d with results, %d failures%n",
        programs, calls, results, failures);
  }

  private String limited(RandomProgram program, long seed) throws InterruptedException {
    AtomicReference<String> result = new AtomicReference<>();
    Thread thread =
        new Thread(
            () -> {
              try {
                result.set(run(program, seed));
              } catch (RuntimeException | Error e) {
                StringBuilder text = new StringBuilder("crash " + e);
                for (StackTraceElement at : e.getStackTrace()) {
                  text.append("\n  at ").append(at);
                }
                result.set(text.toString());
              }
            });
    thread.setDaemon(true);
    thread.start();
    thread.join(LIMIT_MILLIS);
    if (!thread.isAlive()) {
      return result.get();
    }
    StringBuilder text = new StringBuilder("hang");
    for (StackTraceElement at : thread.getStackTrace()) {
      text.append("\n  at ").append(at);
    }
    return text.toString();
  }

  /** Null if nothing is wrong. */
  private String run(RandomProgram program, long seed) {
    Source source = Source.ofText("random.fut", program.text());
    Compiled compiled;
    Program start;
    try {
      start =
          compiler
              .optimise(source, CompilerOptions.DEFAULT.withPasses("none").withThreads(1), null)
              .program();
      compiled = compiler.compile(source, options);
    } catch (ProgramRejectedException e) {
      return "rejected " + e.getMessage();
    }
    Random random = new Random(seed);
    List<List<Value>> inputs = new ArrayList<>();
    inputs.add(Inputs.of(2 + random.nextInt(9), 2 + random.nextInt(5), random));
    inputs.add(Inputs.of(random.nextInt(4), random.nextInt(3), random));
    inputs.add(Inputs.of(30 + random.nextInt(60), 5 + random.nextInt(30), random));
    for (int i = 0; i < inputs.size(); i++) {
      List<Value> input = inputs.get(i);
      Trial.Behaviour expected = Trial.interpret(start, input);
      long threshold = THRESHOLDS[random.nextInt(THRESHOLDS.length)];
      Trial.Behaviour now = executed(compiled, Inputs.copy(input), threshold);
      calls++;
      if (!now.fails()) {
        results++;
      }
      if (trial.different(start, input, expected, now)) {
        return (now.fails() == expected.fails()
                ? "other result"
                : now.fails() ? "new error " + now.error().lines().findFirst() : "lost error")
            + "\ninput "
            + i
            + ", threshold "
            + threshold
            + ":\n"
            + Inputs.text(input)
            + "expected:\n"
            + expected.text()
            + "\ngot:\n"
            + now.text();
      }
    }
    return null;
  }

  private Trial.Behaviour executed(Compiled compiled, List<Value> input, long threshold) {
    FutharkProgram program = compiled.instance();
    Context.Builder builder =
        Context.of(program, new PrintStream(OutputStream.nullOutputStream())).accelerator(device);
    if (threshold > 0) {
      builder.tuningClass("threshold", threshold);
    }
    try (Context context = builder.build()) {
      Value result = context.run(program.entryPoints()[0], input.toArray(new Value[0]));
      List<Value> parts = new ArrayList<>();
      for (Value part : Opaques.parts(result)) {
        parts.add(part instanceof ArrayValue a ? a.onHost() : part);
      }
      return new Trial.Behaviour(parts, "");
    } catch (FutharkError e) {
      return new Trial.Behaviour(null, e.getMessage());
    }
  }
}
