package futharkc.tests;

import futharkc.backend.interpreter.Interpreter;
import futharkc.backend.interpreter.Options;
import futharkc.core.driver.Compiler;
import futharkc.core.driver.CompilerOptions;
import futharkc.core.driver.Source;
import futharkc.core.ir.Rep;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.ImperativeProgram;
import futharkc.core.runtime.DeviceActivity;
import futharkc.core.runtime.FutharkError;
import futharkc.core.runtime.Value;
import futharkc.core.runtime.data.ValueReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A program that prints a table of the reads, waits and writes of host code in programs for GPUs,
 * without and with the passes that avoid them. The interpreter runs each program.
 *
 * <p>Arguments: the folder of the programs, a file with the cases, and optionally a list of passes
 * for the second column. Each line of the file has an identifier, a program, an entry point, and a
 * file with the input next to the list of cases, separated by tabs.
 */
final class TransferTable {
  private static final String WITHOUT =
      "-migration,-merge-gpu-bodies,-read-batching,-speculative-launch";
  private static final int SECONDS = 20;

  private TransferTable() {}

  /** The waits of a program's text, and what the device did for an input. */
  private record Column(int waits, int inLoops, DeviceActivity activity) {}

  private record Case(String name, Path program, String entry, Path input) {}

  public static void main(String[] arguments) throws IOException {
    Path programs = Path.of(arguments[0]);
    Path list = Path.of(arguments[1]);
    String passes = arguments.length > 2 ? arguments[2] : "default";
    System.out.println(
        "| case | waits | in loops | reads | waits run | writes run | launches run |");
    System.out.println("|---|---:|---:|---:|---:|---:|---:|");
    Map<String, ImperativeProgram> compiled = new LinkedHashMap<>();
    for (String line : Files.readAllLines(list)) {
      String[] parts = line.split("\t");
      Case c =
          new Case(parts[0], programs.resolve(parts[1]), parts[2], list.resolveSibling(parts[3]));
      String without = column(c, WITHOUT, compiled);
      String with = column(c, passes, compiled);
      System.out.println(row(c.name, without, with));
    }
    System.exit(0);
  }

  private static String row(String name, String without, String with) {
    String[] a = without.split(" ");
    String[] b = with.split(" ");
    StringBuilder out = new StringBuilder("| " + name + " |");
    for (int k = 0; k < Math.min(a.length, b.length); k++) {
      out.append(' ').append(a[k].equals(b[k]) ? a[k] : a[k] + " → " + b[k]).append(" |");
    }
    return out.toString();
  }

  private static String column(Case c, String passes, Map<String, ImperativeProgram> compiled) {
    ExecutorService thread =
        Executors.newSingleThreadExecutor(
            r -> {
              Thread t = new Thread(null, r, "case", 512L << 20);
              t.setDaemon(true);
              return t;
            });
    int[] waits = new int[2];
    try {
      ImperativeProgram p =
          compiled.computeIfAbsent(c.program + " " + passes, k -> compile(c.program, passes));
      p.functions().forEach(f -> count(f.body(), false, waits));
      DeviceActivity all = thread.submit(() -> run(p, c)).get(SECONDS, TimeUnit.SECONDS);
      return waits[0]
          + " "
          + waits[1]
          + " "
          + all.elements()
          + " "
          + all.waits()
          + " "
          + all.writes()
          + " "
          + all.launches();
    } catch (TimeoutException e) {
      return waits[0] + " " + waits[1] + " – – – –";
    } catch (InterruptedException | ExecutionException e) {
      System.err.println(c.name + ": " + e);
      return waits[0] + " " + waits[1] + " – – – –";
    } finally {
      thread.shutdownNow();
    }
  }

  private static ImperativeProgram compile(Path program, String passes) {
    CompilerOptions options = CompilerOptions.DEFAULT.withThreads(1).withPasses(passes);
    try {
      Source source = Source.ofFile(program);
      return (ImperativeProgram)
          Compiler.create().optimise(source, options, Rep.GPU_IMP).ir().program();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static DeviceActivity run(ImperativeProgram p, Case c) throws IOException {
    List<Value> input = new ArrayList<>();
    try (InputStream in = Files.newInputStream(c.input)) {
      ValueReader reader = new ValueReader(in);
      while (!reader.atEnd()) {
        input.add(reader.readAny());
      }
    }
    Interpreter interpreter = new Interpreter(p, Options.DEFAULT);
    try {
      interpreter.call(c.entry, input);
    } catch (FutharkError e) {
      System.err.println(c.name + ": " + e.getMessage());
    }
    return interpreter.activity();
  }

  /** Adds the waits in code, and those in loops. */
  private static void count(List<Code> code, boolean inLoop, int[] waits) {
    for (Code c : code) {
      switch (c) {
        case Code.Launch _ -> {}
        case Code.AwaitElements _ -> {
          waits[0]++;
          waits[1] += inLoop ? 1 : 0;
        }
        case Code.Compound x -> {
          boolean isLoop = x instanceof Code.For || x instanceof Code.While;
          x.bodies().forEach(b -> count(b, inLoop || isLoop, waits));
        }
        case Code.Simple _ -> {}
      }
    }
  }
}
