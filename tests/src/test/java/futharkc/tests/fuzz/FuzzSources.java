package futharkc.tests.fuzz;

import futharkc.core.driver.Compiler;
import futharkc.core.driver.CompilerOptions;
import futharkc.core.driver.Source;
import futharkc.core.driver.failure.ProgramRejectedException;
import futharkc.core.ir.Rep;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A command that changes the programs of a folder at random and compiles them: {@code FuzzSources
 * FOLDER FIRST COUNT OUT}. The compiler must reject or compile each program. The command writes one
 * program for each kind of crash or timeout to {@code OUT}.
 */
public final class FuzzSources {
  private static final long LIMIT_MILLIS = 20_000;
  private static final int LONGEST = 20_000;

  private final Compiler compiler = Compiler.create();
  private final Map<String, Integer> kinds = new TreeMap<>();
  private final Path outFolder;
  private final PrintStream out;
  private int accepted;

  private FuzzSources(Path outFolder, PrintStream out) {
    this.outFolder = outFolder;
    this.out = out;
  }

  /** Runs the command that the class comment describes. */
  public static void main(String[] args) throws Exception {
    List<Path> files;
    try (Stream<Path> all = Files.walk(Path.of(args[0]))) {
      files = all.filter(f -> f.toString().endsWith(".fut")).sorted().toList();
    }
    Path outFolder = Path.of(args[3]);
    Files.createDirectories(outFolder);
    FuzzSources fuzz = new FuzzSources(outFolder, System.out);
    long first = Long.parseLong(args[1]);
    long count = Long.parseLong(args[2]);
    long begin = System.nanoTime();
    for (long seed = first; seed < first + count; seed++) {
      fuzz.one(files, seed);
    }
    fuzz.out.printf(
        "%d programs in %.1f s, %d accepted%n",
        count, (System.nanoTime() - begin) / 1e9, fuzz.accepted);
    fuzz.kinds.forEach((kind, n) -> fuzz.out.println(n + " " + kind));
    System.exit(0);
  }

  private void one(List<Path> files, long seed) throws IOException, InterruptedException {
    Random random = new Random(seed * 7919 + 13);
    Path file = files.get(random.nextInt(files.size()));
    String original = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
    if (original.length() > LONGEST) {
      return;
    }
    String text = Mutations.mutate(original, random);
    Failed failed = failure(file, text);
    if (failed == null || kinds.merge(failed.kind, 1, Integer::sum) > 1) {
      return;
    }
    Path kept = outFolder.resolve(seed + ".fut");
    Files.writeString(kept, text);
    Files.writeString(outFolder.resolve(seed + ".txt"), file + "\n" + failed.details);
    out.println(kept + ": " + failed.kind);
  }

  private record Failed(String kind, String details) {}

  private @Nullable Failed failure(Path file, String text) throws InterruptedException {
    AtomicReference<@Nullable Throwable> thrown = new AtomicReference<>();
    Thread thread = new Thread(() -> thrown.set(compile(file, text)));
    thread.setDaemon(true);
    thread.start();
    thread.join(LIMIT_MILLIS);
    if (thread.isAlive()) {
      StringBuilder where = new StringBuilder();
      Thread.getAllStackTraces()
          .forEach(
              (t, trace) -> where.append(t).append("\n  ").append(List.of(trace)).append("\n"));
      thread.interrupt();
      return new Failed("hang of " + file, where.toString().replace(", ", "\n  "));
    }
    Throwable e = thrown.get();
    if (e == null) {
      return null;
    }
    Throwable root = e;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    StackTraceElement[] trace = root.getStackTrace();
    StringBuilder details = new StringBuilder(e + "\n" + root + "\n");
    for (int i = 0; i < Math.min(25, trace.length); i++) {
      details.append("  at ").append(trace[i]).append("\n");
    }
    return new Failed(
        root.getClass().getSimpleName() + (trace.length == 0 ? "" : " at " + trace[0]),
        details.toString());
  }

  /**
   * Returns the exception or error that the compiler throws, or null; rejections are not errors.
   */
  private @Nullable Throwable compile(Path file, String text) {
    Source source;
    try {
      source = new Source(file.toString(), "random", text, Source.ofFile(file).imports(), false);
    } catch (IOException e) {
      source = Source.ofText(file.toString(), text);
    }
    try {
      compiler.optimise(source, CompilerOptions.DEFAULT.withThreads(1), Rep.MC_MEM);
      accepted++;
      return null;
    } catch (ProgramRejectedException e) {
      return null;
    } catch (RuntimeException | Error e) {
      return e;
    }
  }
}
