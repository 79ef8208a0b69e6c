package futharkc.tests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import futharkc.core.driver.Compiler;
import futharkc.core.driver.CompilerOptions;
import futharkc.core.driver.Source;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of the compiler and of compiled programs as processes in unusual environments. */
final class ProcessTest {
  @TempDir private Path folder = Path.of("");

  private record Ended(int status, String said) {}

  private static Ended end(ProcessBuilder builder, String input) throws Exception {
    Process process = builder.start();
    try (OutputStream in = process.getOutputStream()) {
      in.write(input.getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      // The process ended without reading its input.
    }
    byte[] said = process.getErrorStream().readAllBytes();
    return new Ended(process.waitFor(), new String(said, StandardCharsets.UTF_8));
  }

  /** Runs a process without input, and returns what it prints to both streams. */
  private static Ended printed(ProcessBuilder builder) throws Exception {
    Process process = builder.redirectErrorStream(true).start();
    process.getOutputStream().close();
    byte[] said = process.getInputStream().readAllBytes();
    return new Ended(process.waitFor(), new String(said, StandardCharsets.UTF_8));
  }

  /** Returns a process builder for the compiler that starts it as the launcher does. */
  private static ProcessBuilder compiler(List<String> arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-p"));
    command.addAll(List.of(System.getProperty("jdk.module.path"), "-m"));
    command.add("futharkc.cli/futharkc.cli.Main");
    command.addAll(arguments);
    return new ProcessBuilder(command);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--help",
        "--version",
        "check --help",
        "check --json F",
        "dev F",
        "dev --metrics F",
        "dev --json F",
        "run F -- 1",
        "F -- 1",
        "--check-passes F -- 1",
        "--print-source F",
        "--print-ir-after=simplify --stop-after=simplify F -n",
        "passes",
        "passes --list",
        "passes --markdown",
        "dataset --generate=[10]i32",
        "test --json -t F",
        "repl F",
      })
  void outputThatCannotBeWrittenIsAFailure(String command) throws Exception {
    File full = new File("/dev/full");
    assumeTrue(full.exists());
    Path program = folder.resolve("f.fut");
    Files.writeString(program, "def main (x: i32) = x + 1");
    ProcessBuilder builder = compiler(List.of(command.replace("F", program.toString()).split(" ")));
    Ended ended = end(builder.redirectOutput(full), "1 + 1\n");
    assertEquals(1, ended.status, ended.said);
    assertTrue(ended.said.contains("No space left on device"), ended.said);
  }

  /** Tests whether this process ignores SIGINT, as its children then do; only Linux says so. */
  private static boolean ignoresInterrupts() throws IOException {
    Path status = Path.of("/proc/self/status");
    if (!Files.exists(status)) {
      return false;
    }
    return Files.readAllLines(status).stream()
        .filter(l -> l.startsWith("SigIgn:"))
        .anyMatch(l -> (Long.parseUnsignedLong(l.substring(7).strip(), 16) & 2) != 0);
  }

  /** An interrupt signal ends a computation of the session, not the session. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "loop x = two while x > 0 do x",
        "reduce (+) 0 (map (\\i -> loop x = i for _j < 1000000 do x + 1) (iota 1000000))"
      })
  void anInterruptEndsAComputationOfASession(String computation) throws Exception {
    assumeFalse(ignoresInterrupts(), "needs a parent that does not ignore interrupts");
    Process process = compiler(List.of("repl")).start();
    try (Writer in = process.outputWriter();
        BufferedReader out = process.inputReader()) {
      in.write("def two = 2i64\ntwo + 5\n");
      in.flush();
      assertEquals("[0]> [1]> 7", out.readLine());
      in.write(computation + "\n");
      Duration before = processorTime(process);
      in.flush();
      while (processorTime(process).minus(before).compareTo(Duration.ofSeconds(3)) < 0) {
        Thread.sleep(50);
      }
      assertEquals(0, new ProcessBuilder("kill", "-INT", "" + process.pid()).start().waitFor());
      assertTrue(out.readLine().startsWith("[2]> Error: Interrupted."));
      in.write("two + 6\n:quit\n");
      in.flush();
      assertEquals("[3]> 8", out.readLine());
      assertEquals(0, process.waitFor());
    } finally {
      process.destroyForcibly();
    }
  }

  private static Duration processorTime(Process process) {
    return process.info().totalCpuDuration().orElse(Duration.ZERO);
  }

  @Test
  void memoryIsExplained() throws Exception {
    Path program = folder.resolve("two.fut");
    Path page = folder.resolve("two.html");
    Files.writeString(
        program, "def main (a: []i32) (b: []i32) = scan (+) 0 a ++ scan (i32.max) 0 b");
    String said = "explain --memory --target=c -o " + page + " " + program;
    Ended ended = end(compiler(List.of(said.split(" "))), "");
    assertEquals(0, ended.status, ended.said);
    String html = Files.readString(page);
    assertTrue(html.contains("3 blocks allocated, at most 3 live at a time"), html);
    assertTrue(html.contains("1 block allocated, at most 1 live at a time"), html);
    assertTrue(html.contains("is computed in the memory of"), html);
    assertTrue(html.contains("<span id=\"f0-1\">"), html);
    assertFalse(html.contains("http"), html);
  }

  @Test
  void transfersAreExplained() throws Exception {
    Path program = folder.resolve("sizes.fut");
    Path page = folder.resolve("sizes.html");
    Files.writeString(
        program,
        """
        def main (xs: []i64) =
          let ys = map (* 2) xs
          in (ys, iota ys[1], replicate ys[2] true)
        """);
    String said = "explain --transfers -o " + page + " " + program;
    Ended ended = end(compiler(List.of(said.split(" "))), "");
    assertEquals(0, ended.status, ended.said);
    String html = Files.readString(page);
    assertTrue(html.contains("2 elements read in 1 wait (0 in loops)"), html);
    assertTrue(html.contains(">wait for 2 elements</td>"), html);
    assertTrue(html.contains(">the host waits once, for 2 elements</td>"), html);
    assertTrue(html.contains("<td>migration</td>"), html);
    assertTrue(html.contains("<span id=\"f0-3\">"), html);
    assertFalse(html.contains("http"), html);
  }

  @Test
  void layoutsAreExplained() throws Exception {
    Path program = folder.resolve("rows.fut");
    Path page = folder.resolve("rows.html");
    Files.writeString(
        program, "def main [n][m] (xss: [n][m]f32): [n]f32 = map (\\xs -> xs[m - 1] * xs[0]) xss");
    String accesses = "dev --gpu-mem --accesses " + program;
    Ended listed = printed(compiler(List.of(accesses.split(" "))));
    assertEquals(0, listed.status, listed.said);
    assertTrue(listed.said.contains("apart"), listed.said);
    String said = "explain --layout --target=opencl -o " + page + " " + program;
    Ended ended = end(compiler(List.of(said.split(" "))), "");
    assertEquals(0, ended.status, ended.said);
    String html = Files.readString(page);
    assertTrue(html.contains("<td class=\"missed\">apart"), html);
    assertTrue(html.contains("<td class=\"applied\">neighbours"), html);
    assertTrue(html.contains("would make"), html);
    assertFalse(html.contains("http"), html);
  }

  @Test
  void expressionsAreEvaluatedInTheScopeOfAProgram() throws Exception {
    Path program = folder.resolve("e.fut");
    Files.writeString(program, "local def two = 2i32\ndef main = two");
    Ended values =
        printed(
            compiler(
                List.of("eval", "-f", program.toString(), "two + 1", "iota 2", "main", "main")));
    assertEquals(0, values.status, values.said);
    assertTrue(values.said.endsWith("3\n[0, 1]\n2\n2\n"), values.said);
    Ended wrong = end(compiler(List.of("eval", "1 + true", "2")), "");
    assertEquals(1, wrong.status, wrong.said);
    assertTrue(wrong.said.contains("Error at <expression>:1:5-9: [E0401]"), wrong.said);
    Ended none = end(compiler(List.of("eval", "-f", folder + "/none.fut", "1")), "");
    assertEquals(1, none.status, none.said);
    Ended failed = end(compiler(List.of("eval", "1 / 0")), "");
    assertEquals(1, failed.status, failed.said);
    assertTrue(failed.said.contains("division by zero"), failed.said);
  }

  @ParameterizedTest
  @ValueSource(strings = {"F -o /dev/full", "test -t --failures=/dev/full F"})
  void filesThatCannotBeWrittenAreAFailure(String command) throws Exception {
    assumeTrue(new File("/dev/full").exists());
    Path program = folder.resolve("f.fut");
    Files.writeString(program, "def main (x: i32) = y");
    if (command.startsWith("F")) {
      Files.writeString(program, "def main (x: i32) = x");
    }
    Ended ended = end(compiler(List.of(command.replace("F", program.toString()).split(" "))), "");
    assertEquals(1, ended.status, ended.said);
    assertTrue(ended.said.contains("No space left on device"), ended.said);
  }

  @ParameterizedTest
  @ValueSource(strings = {"a:b", "caf\u00e9", "two words"})
  void executablesRunWhateverTheyAreCalled(String name) throws Exception {
    Path file = folder.resolve(name);
    Source source = Source.ofText("next.fut", "def main (x: i32): i32 = x + 1");
    Compiler.create().compile(source, CompilerOptions.DEFAULT).writeExecutable(file);
    ProcessBuilder builder = new ProcessBuilder("sh", "-c", "LC_ALL=C exec ./*", "sh");
    Process process = builder.directory(folder.toFile()).redirectErrorStream(true).start();
    try (OutputStream in = process.getOutputStream()) {
      in.write("41".getBytes(StandardCharsets.UTF_8));
    }
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals("42i32", said.strip());
  }

  /**
   * Checks that loops call a cancellation method that returns a constant until the watcher class is
   * loaded.
   */
  @Test
  void nobodyWatchesForCancellationBeforeThereIsOne() throws Exception {
    Path file = folder.resolve("sum");
    Source source =
        Source.ofText("sum.fut", "def main (n: i64): i64 = i64.sum (map (** 2) (iota n))");
    Compiler.create().compile(source, CompilerOptions.DEFAULT).writeExecutable(file);
    Path log = folder.resolve("log");
    ProcessBuilder builder = new ProcessBuilder(file.toString());
    builder.environment().put("JAVA_TOOL_OPTIONS", "-Xlog:class+load:file=" + log);
    Ended ended = end(builder.redirectOutput(folder.resolve("output").toFile()), "100000000");
    assertEquals(0, ended.status, ended.said);
    String loaded = Files.readString(log);
    assertTrue(loaded.contains("futharkc.core.runtime.Cancelling$Watch "), loaded);
    assertFalse(loaded.contains("futharkc.core.runtime.Cancelling$Watching "), "is loaded");
  }

  /** Runs the compiler and returns its exit code and its output on both streams. */
  private Ended compile(String input, String... arguments) throws Exception {
    ProcessBuilder builder = compiler(List.of(arguments)).redirectErrorStream(true);
    Path output = folder.resolve("output");
    Ended ended = end(builder.redirectOutput(output.toFile()), input);
    return new Ended(ended.status, Files.readString(output));
  }

  private void assertEnds(int status, String said, Ended ended) {
    assertEquals(status, ended.status, ended.said);
    assertTrue(ended.said.contains(said), ended.said);
  }

  @Test
  void inputThatCannotBeReadFailsACheckOfPasses() throws Exception {
    String good = program("def main (x: i32) = x + 1");
    assertEnds(1, "cannot read argument 1", compile("", "--check-passes", good, "--", "true"));
    assertEnds(1, "no entry point 'f'", compile("", "--check-passes", good, "-e", "f", "--", "1"));
    assertEnds(0, "No pass changes the result.", compile("", "--check-passes", good, "--", "1"));
    assertEnds(0, "No pass changes", compile("", "--check-passes", "-b", good, "--", "1"));
  }

  @Test
  void aMissingInputFileIsCalledMissing() throws Exception {
    String good = program("def main (x: i32) (y: []f32) = f32.i32 x + f32.sum y");
    assertEnds(
        1, "no/such.in: there is no such file", compile("", "run", good, "--", "1", "no/such.in"));
    assertEnds(1, "is a folder", compile("", "run", good, "--", folder.toString()));
    // A value may be split over several arguments.
    assertEnds(0, "f32.nan", compile("", "run", good, "--", "1", "[1,", "f32.nan", ", 3]"));
  }

  /**
   * Checks that the compiler accepts the output of {@code dev} in any representation as a program.
   */
  @ParameterizedTest
  @ValueSource(strings = {"--seq", "--mc-mem", "--mc-imp", "--seq-imp"})
  void printedProgramsAreRun(String rep) throws Exception {
    String source = program("def main (n: i64) = i64.sum (map (* 3) (iota n))");
    Path printed = folder.resolve("printed.fir");
    ProcessBuilder dev = compiler(List.of("dev", rep, source));
    assertEnds(0, "", end(dev.redirectOutput(printed.toFile()), ""));
    assertEnds(0, "135i64", compile("10", "run", printed.toString()));
  }

  @Test
  void inputsMayBeginWithAByteOrderMark() throws Exception {
    String good = program("\uFEFFdef main (x: i32) = x + 1");
    Path input = Files.writeString(folder.resolve("input"), "\uFEFF41");
    assertEnds(0, "42i32", compile("", "run", good, "--", input.toString()));
    assertEnds(1, "than the 1 argument of entry point main", compile("1 2", "run", good));
  }

  /**
   * Checks that the harness accepts the inputs that executables accept; opaque inputs are an error
   * of the test.
   */
  @Test
  void testsHaveTheInputsThatExecutablesHave() throws Exception {
    Files.writeString(folder.resolve("in"), "[1, 2] 3");
    String program =
        program(
            """
            -- ==
            -- entry: floats
            -- input { [1, 2] 3 } output { [1, 2] 3 }
            -- input @ in output @ in

            -- ==
            -- entry: bytes
            -- input { ["ab", "cd"] } output { [195, 199] }
            -- input { [empty([0]u8)] } output { [0] }

            -- ==
            -- entry: third
            -- input { [1] } error: Index

            -- ==
            -- entry: opaque
            -- random input { i32 i32 }

            entry floats (xs: []f32) (x: f32) = (xs, x)
            entry bytes (rows: [][]u8) = map (\\r -> i32.sum (map i32.u8 r)) rows
            entry third (xs: []i32) = xs[3]
            entry opaque (p: {x: i32, y: i32}) = p.x
            """);
    Ended ended = compile("", "test", "-j", "1", program);
    assertTrue(ended.said.contains("5 passed, 1 failed"), ended.said);
    assertTrue(ended.said.contains("Expected input of types: {x: i32, y: i32}"), ended.said);
    assertTrue(ended.said.contains("A script can create"), ended.said);
    ended = compile("", "bench", "-r", "1", "--no-convergence-phase", "-e", "third", program);
    assertTrue(ended.said.contains("skipped, its expected result is an error"), ended.said);
  }

  @Test
  void aProfiledBenchmarkHasTheLogOfOneRun() throws Exception {
    String program =
        program(
            """
            -- ==
            -- input { [1, 2] }
            entry main (xs: []i32) = map (+ 1) (#[trace(xs)] xs)
            """);
    Path json = folder.resolve("results.json");
    Ended ended =
        compile(
            "",
            "bench",
            "--backend=c",
            "-r",
            "2",
            "--no-convergence-phase",
            "--profile",
            "--json=" + json,
            program);
    assertEquals(0, ended.status, ended.said);
    String stored = Files.readString(json);
    assertEquals(2, stored.split("xs: 1 2 ", -1).length, stored);
    assertTrue(stored.contains("Peak memory usage"), stored);
    ended = compile("", "bench", "--backend=c", "--pass-option=--runs=3", program);
    assertTrue(ended.said.contains("--pass-option: "), ended.said);
  }

  @Test
  void aScriptRunsAnExecutable() throws Exception {
    String program = program("entry double (xs: []f32) = map (* 2) xs");
    String executable = folder.resolve("double").toString();
    Ended ended = compile("", "c", program, "-o", executable);
    assertEquals(0, ended.status, ended.said);
    ended = compile("", "script", executable, "double [1f32, 2f32]");
    assertTrue(ended.said.contains("[2.0f32, 4.0f32]"), ended.said);
  }

  private String program(String text) throws IOException {
    return Files.writeString(folder.resolve("f.fut"), text).toString();
  }

  @Test
  void namesThatTheLocaleDoesNotAllowAreNoInternalError() throws Exception {
    ProcessBuilder builder = compiler(List.of("check", "caf\u00e9.fut"));
    builder.environment().put("LC_ALL", "C");
    Ended ended = end(builder, "");
    assertEquals(1, ended.status, ended.said);
    assertTrue(ended.said.contains("LC_ALL=C.UTF-8 allows all letters"), ended.said);
  }

  private Ended library(String... arguments) throws Exception {
    Path program = folder.resolve("sums.fut");
    Files.writeString(program, "entry sum (xs: []i32) = i32.sum xs");
    List<String> all = new ArrayList<>(List.of("library", program.toString()));
    all.addAll(List.of(arguments));
    return printed(compiler(all));
  }

  @Test
  void librariesAreWritten() throws Exception {
    assertEquals(new Ended(0, ""), library("--package", "com.acme", "--target=c"));
    assertTrue(Files.exists(folder.resolve("sums.jar")));
    assertTrue(Files.exists(folder.resolve("sums-sources.jar")));
    Path other = folder.resolve("other.jar");
    assertEquals(
        new Ended(0, ""), library("--package=com.acme", "--target=c", "-o", other.toString()));
    assertTrue(Files.exists(other));
    Path unpacked = folder.resolve("unpacked");
    assertEquals(
        new Ended(0, ""), library("--package=com.acme", "--target=c", "--unpack=" + unpacked));
    assertTrue(Files.exists(unpacked.resolve("sources/com/acme/Sums.java")));
    assertTrue(Files.exists(unpacked.resolve("resources/com/acme/internal/c/FutharkMain.class")));
    assertEquals(folder.resolve("sums.fut") + "\n", Files.readString(unpacked.resolve("files")));
  }

  @Test
  void librariesNeedAPackageAndKnownTargets() throws Exception {
    Ended none = library();
    assertTrue(none.status != 0 && none.said.contains("--package"), none::said);
    Ended keyword = library("--package", "com.class");
    assertTrue(keyword.said.contains("'com.class' is not the name"), keyword::said);
    Ended target = library("--package", "a", "--target", "interpreter");
    assertTrue(target.said.contains("makes no libraries"), target::said);
  }

  @Test
  void optionsMayStandBetweenOperands() throws Exception {
    assertEquals(new Ended(0, "1\n2\n"), printed(compiler(List.of("eval", "1i32", "-w", "2i32"))));
  }
}
