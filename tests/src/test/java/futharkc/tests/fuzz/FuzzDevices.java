package futharkc.tests.fuzz;

import futharkc.core.driver.Compiled;
import futharkc.core.driver.Compiler;
import futharkc.core.driver.CompilerOptions;
import futharkc.core.driver.Source;
import futharkc.core.driver.failure.ProgramRejectedException;
import futharkc.core.ir.Program;
import futharkc.core.runtime.ArrayValue;
import futharkc.core.runtime.Context;
import futharkc.core.runtime.EntryPoint;
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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.stream.LongStream;

/**
 * A command that runs random programs on a device: {@code FuzzDevices TARGET FIRST COUNT SIZE
 * FOLDER [TOGETHER [SECONDS]]}.
 *
 * <p>{@code TOGETHER} random programs (default 20) are entry points of one program. The command
 * calls each with three inputs and random thresholds, and compares the results with the
 * interpreter. The command writes failing programs to the folder, and one line for each to standard
 * output. The file says whether the program also fails alone. No program starts after {@code
 * SECONDS}. The command skips calls that the interpreter does not finish within seconds.
 *
 * <p>{@code -Dfuzz.option=-cl-opt-disable} is an option for the device's compiler. PoCL spends most
 * of a run on the optimisation of kernels that are launched once.
 *
 * <p>A kernel that does not terminate cannot be stopped, and a crash can make the device unusable
 * for the process. In this case the process prints {@code next SEED}, the seed for the next run,
 * and ends with status 3. At the end of the time limit the process prints the same line and ends
 * with status 0.
 */
public final class FuzzDevices {
  private static final long LIMIT_MILLIS = 60_000;
  private static final long INTERPRETER_MILLIS = 10_000;

  /**
   * The thresholds for the outermost version if one exists, the default version, and the innermost
   * version.
   */
  private static final long[] THRESHOLDS = {1, 0, 1 << 30};

  private final Compiler compiler = Compiler.create();
  private final Trial trial = new Trial();

  /** Options without contraction, so that floats equal the interpreter's. */
  private final CompilerOptions options;

  private final int size;
  private final Path folder;
  private final PrintStream out;
  private final Device device;
  private int results;
  private int calls;
  private int failures;
  private int entries;
  private int left;

  private FuzzDevices(String target, int size, Path folder, PrintStream out) {
    this.options = CompilerOptions.DEFAULT.withTarget(target).withPasses("-contraction");
    this.size = size;
    this.folder = folder;
    this.out = out;
    Compiled any =
        compiler.compile(
            Source.ofText("any.fut", "entry main (n: i64) = n"),
            CompilerOptions.DEFAULT.withTarget(target));
    DeviceOptions.Builder device = new DeviceOptions.Builder();
    String option = System.getProperty("fuzz.option", "");
    if (!option.isEmpty()) {
      device.compilerOption(option);
    }
    this.device = any.openDevice(device.build());
  }

  /** Runs the command that the class comment describes. */
  public static void main(String[] args) throws Exception {
    long seed = Long.parseLong(args[1]);
    long end = seed + Long.parseLong(args[2]);
    Path folder = Path.of(args[4]);
    int together = args.length > 5 ? Integer.parseInt(args[5]) : 20;
    long seconds = args.length > 6 ? Long.parseLong(args[6]) : Integer.MAX_VALUE;
    long stop = System.nanoTime() + seconds * 1_000_000_000L;
    Files.createDirectories(folder);
    FuzzDevices fuzz = new FuzzDevices(args[0], Integer.parseInt(args[3]), folder, System.out);
    boolean broken = false;
    while (seed < end && !broken && System.nanoTime() < stop) {
      long next = Math.min(end, seed + together);
      broken = !fuzz.portion(LongStream.range(seed, next).boxed().toList());
      seed = next;
    }
    fuzz.out.println("next " + seed);
    fuzz.out.flush();
    Runtime.getRuntime().halt(broken ? 3 : 0);
  }

  /**
   * Runs several programs as one and prints the outcome; returns whether the device is still
   * usable.
   */
  private boolean portion(List<Long> seeds) throws Exception {
    results = calls = failures = entries = left = 0;
    boolean usable = tried(seeds);
    out.printf(
        "%d programs, %d calls, %d with results, %d failures, %d left%n",
        entries, calls, results, failures, left);
    out.flush();
    return usable;
  }

  private boolean tried(List<Long> seeds) throws Exception {
    Portion portion = new Portion(seeds);
    portion.setDaemon(true);
    portion.start();
    portion.join(LIMIT_MILLIS * (1 + seeds.size()) / 2);
    List<Failure> failures;
    synchronized (portion) {
      failures = new ArrayList<>(portion.failures);
    }
    if (portion.isAlive()) {
      StringBuilder text = new StringBuilder("hang");
      for (StackTraceElement at : portion.getStackTrace()) {
        text.append("\n  at ").append(at);
      }
      failures.add(new Failure(seeds.get(portion.current), text.toString()));
    } else if (portion.whole != null && seeds.size() > 1) {
      out.println("together, seed " + seeds.getFirst() + ": " + firstLine(portion.whole));
      boolean usable = true;
      for (int i = 0; usable && i < seeds.size(); i++) {
        usable = tried(seeds.subList(i, i + 1));
      }
      return usable;
    } else if (portion.whole != null) {
      failures.add(new Failure(seeds.getFirst(), portion.whole));
    }
    boolean usable = !portion.isAlive() && device.resets() == 0;
    for (Failure failure : failures) {
      String text = failure.text;
      if (usable && seeds.size() > 1) {
        Portion alone = new Portion(List.of(failure.seed));
        alone.setDaemon(true);
        alone.start();
        alone.join(LIMIT_MILLIS);
        boolean fails = alone.isAlive() || alone.whole != null || !alone.failures.isEmpty();
        text = text + "\n" + (fails ? "alone, too" : "not alone: see together.fut beside it");
        if (!fails) {
          Files.writeString(folder.resolve(failure.seed + ".together.fut"), portion.text);
        }
      }
      this.failures++;
      out.println("seed " + failure.seed + ": " + firstLine(text));
      Files.writeString(
          folder.resolve(failure.seed + ".fut"),
          RandomProgram.of(failure.seed, size).text()
              + "\n"
              + text.indent(1).replaceAll("(?m)^", "-- "));
    }
    return usable && device.resets() == 0;
  }

  private static String firstLine(String text) {
    return text.lines().findFirst().orElse("");
  }

  private record Failure(long seed, String text) {}

  /** A thread that compiles several programs as one and runs its entry points. */
  private final class Portion extends Thread {
    private final List<Long> seeds;
    private final String text;
    private final List<Failure> failures = new ArrayList<>();

    /** The failure of the whole program, such as a compilation error. */
    private volatile String whole;

    private volatile int current;

    Portion(List<Long> seeds) {
      super(null, null, "portion", 1L << 26);
      this.seeds = seeds;
      text = RandomProgram.together(seeds.stream().map(s -> RandomProgram.of(s, size)).toList());
    }

    @Override
    public void run() {
      Program start;
      Compiled compiled;
      try {
        Source source = Source.ofText("random.fut", text);
        start =
            compiler
                .optimise(source, CompilerOptions.DEFAULT.withPasses("none").withThreads(1), null)
                .program();
        compiled = compiler.compile(source, options);
      } catch (ProgramRejectedException e) {
        whole = "rejected " + e.getMessage();
        return;
      } catch (RuntimeException | Error e) {
        whole = crash(e);
        return;
      }
      FutharkProgram program = compiled.instance();
      Map<Long, Context> contexts = new HashMap<>();
      for (int i = 0; i < seeds.size() && device.resets() == 0; i++) {
        current = i;
        Random random = new Random(seeds.get(i));
        long threshold = THRESHOLDS[random.nextInt(THRESHOLDS.length)];
        String failure;
        try {
          Context context = contexts.computeIfAbsent(threshold, t -> context(program, t));
          failure = entry(start, context, i, random);
        } catch (InterruptedException | RuntimeException | Error e) {
          failure = crash(e);
        }
        entries++;
        if (failure != null) {
          synchronized (this) {
            failures.add(new Failure(seeds.get(i), failure + "threshold " + threshold));
          }
        }
      }
      contexts.values().forEach(Context::close);
    }

    /** Compares one entry point; returns null if the results agree. */
    private String entry(Program start, Context context, int number, Random random)
        throws InterruptedException {
      EntryPoint entry = context.program().entryPoints()[number];
      String name = entry.name();
      List<List<Value>> inputs = new ArrayList<>();
      inputs.add(RandomInputs.of(2 + random.nextInt(9), 2 + random.nextInt(5), random));
      inputs.add(RandomInputs.of(random.nextInt(4), random.nextInt(3), random));
      inputs.add(RandomInputs.of(30 + random.nextInt(60), 5 + random.nextInt(30), random));
      for (int i = 0; i < inputs.size(); i++) {
        List<Value> input = inputs.get(i);
        Trial.Behaviour expected = interpreted(start, name, input);
        if (expected == null) {
          left++;
          return null;
        }
        Trial.Behaviour now = executed(context, entry, RandomInputs.copy(input));
        calls++;
        if (!now.fails()) {
          results++;
        }
        if (trial.different(start, name, input, expected, now)) {
          String kind =
              now.fails() == expected.fails()
                  ? "other result"
                  : now.fails()
                      ? "new error " + now.error().lines().findFirst().orElse("")
                      : "lost error";
          return "%s\ninput %d:\n%sexpected:\n%s\ngot:\n%s\n"
              .formatted(kind, i, RandomInputs.text(input), expected.text(), now.text());
        }
      }
      return null;
    }
  }

  /** Returns the expected behaviour, or null if the interpreter takes too long. */
  private static Trial.Behaviour interpreted(Program start, String name, List<Value> input)
      throws InterruptedException {
    FutureTask<Trial.Behaviour> task =
        new FutureTask<>(() -> Trial.interpret(start, name, RandomInputs.copy(input)));
    Thread thread = new Thread(null, task, "interpreter", 1L << 26);
    thread.setDaemon(true);
    thread.start();
    thread.join(INTERPRETER_MILLIS);
    if (!task.isDone()) {
      return null;
    }
    try {
      return task.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    }
  }

  private static String crash(Throwable e) {
    StringBuilder text = new StringBuilder("crash " + e);
    for (StackTraceElement at : e.getStackTrace()) {
      text.append("\n  at ").append(at);
    }
    return text.toString();
  }

  private Context context(FutharkProgram program, long threshold) {
    Context.Builder builder =
        Context.of(program, new PrintStream(OutputStream.nullOutputStream())).accelerator(device);
    if (threshold > 0) {
      builder.tuningClass("threshold", threshold);
    }
    return builder.build();
  }

  private static Trial.Behaviour executed(Context context, EntryPoint entry, List<Value> input) {
    try {
      Value result = context.run(entry, input.toArray(new Value[0]));
      List<Value> parts = new ArrayList<>();
      for (Value part : Opaques.parts(result)) {
        parts.add(part instanceof ArrayValue a ? a.onHost() : part);
      }
      return new Trial.Behaviour(parts);
    } catch (FutharkError e) {
      return new Trial.Behaviour(e);
    }
  }
}
