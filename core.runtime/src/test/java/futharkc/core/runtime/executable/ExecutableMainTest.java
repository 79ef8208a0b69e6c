package futharkc.core.runtime.executable;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExecutableMainTest {
  private record Outcome(int status, String out, String err) {}

  private static Outcome run(String input, String... args) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int status =
        ExecutableMain.run(
            new SampleProgram(),
            args,
            new ByteArrayInputStream(input.getBytes(StandardCharsets.ISO_8859_1)),
            out,
            new PrintStream(err));
    return new Outcome(
        status,
        out.toString(StandardCharsets.ISO_8859_1),
        err.toString(StandardCharsets.ISO_8859_1));
  }

  private static void assertFails(String message, Outcome outcome) {
    assertEquals(1, outcome.status);
    assertEquals("", outcome.out);
    assertTrue(outcome.err.contains(message), outcome.err);
  }

  @Test
  void runsMainOnTextAndBinaryInput() {
    assertEquals(new Outcome(0, "6i32\n", ""), run("[1, 2, 3]"));
    assertEquals(
        new Outcome(0, "b\2\0 i32\5\0\0\0\n", ""),
        run("b\2\1 i32\2\0\0\0\0\0\0\0\2\0\0\0\3\0\0\0", "-b"));
    assertEquals(new Outcome(0, "", ""), run("[1]", "-n"));
  }

  @Test
  void resultsThatAreTuplesArePrintedByComponent() {
    assertEquals(new Outcome(0, "2i32\n[0i32, 1i32]\n", ""), run("2", "-e", "iota"));
    assertFails("values of type secret have no external", run("", "-esecret"));
    assertEquals(0, run("", "-nesecret").status);
    assertFails(
        "cannot read argument 1 of entry point point, of type point", run("1", "-ne", "point"));
  }

  @Test
  void consumedArgumentsAreFreshInEachRun(@TempDir Path folder) throws IOException {
    Path times = folder.resolve("times");
    assertEquals(
        new Outcome(0, "[2i32, 3i32]\n", ""),
        run("[1, 2]", "--entry=increment", "-r", "5", "-t", times.toString()));
    assertEquals(5, Files.readAllLines(times).size());
    for (String line : Files.readAllLines(times)) {
      assertTrue(Long.parseLong(line) >= 0);
    }
  }

  @Test
  void reportsOfMemoryAndTime() {
    Outcome log = run("[1, 2]", "-L", "--num-threads=2");
    assertEquals("Peak memory usage for default space: 8008 bytes\n", log.err);
    Outcome consumed = run("[1, 2]", "-L", "-r3", "--entry=increment");
    assertEquals("Peak memory usage for default space: 8008 bytes\n", consumed.err);
    Outcome debug = run("2", "-D", "-r2", "-e", "iota");
    assertTrue(debug.err.contains("Freed in default space: 16 bytes"), debug.err);
    assertTrue(run("[1]", "-P").err.startsWith("Region sum: 1 runs, "));
  }

  @Test
  void tuningParameters(@TempDir Path folder) throws IOException {
    assertEquals("sample.grain (threshold(def, ))\n", run("", "--print-params").out);
    assertEquals("10i32\n", run("", "-e", "grain").out);
    assertEquals("7i32\n", run("", "-e", "grain", "--param", "sample.grain=7").out);
    assertEquals("10i32\n", run("", "-e", "grain", "--param=sample.grain=0").out);
    Path file = Files.writeString(folder.resolve("tuning"), "-- x\n\nsample.grain=5\n");
    assertEquals("5i32\n", run("", "-e", "grain", "--tuning", file.toString()).out);
    Files.writeString(file, "sample.grain=5\nnope=3\n");
    assertFails("line 2: unknown tuning parameter: nope", run("", "--tuning", file.toString()));
    Files.writeString(file, "sample.grain 5\n");
    assertFails("line 1: expected NAME=INT", run("", "--tuning", file.toString()));
    Files.write(file, new byte[] {(byte) 0x80, 0, 1});
    assertFails("it is not UTF-8 text", run("", "--tuning", file.toString()));
  }

  @Test
  void badCommandLines() {
    assertFails("unknown option --nope", run("", "--nope"));
    assertFails("unknown option -z", run("", "-nz"));
    assertFails("ambiguous option --p", run("", "--p"));
    assertFails("needs an argument", run("", "-e"));
    assertFails("takes no argument", run("", "--log=1"));
    assertFails("needs a positive number, not '0'", run("", "-r", "0"));
    assertFails("unexpected argument 'x'", run("", "x"));
    assertFails("cannot be combined with --server", run("", "--server", "-b"));
    assertFails("no entry point 'nope'", run("", "-e", "nope"));
    assertFails("cannot open /nowhere/x: no such file\n", run("[1]", "-t", "/nowhere/x"));
    assertTrue(run("", "-h").out.contains("-e, --entry-point NAME"));
  }

  @Test
  void wrongInput() {
    String main = "sample: cannot read argument 1 (xs) of entry point main, of type []i32: ";
    assertFails(main + "line 1, column 4: expected ',' or ']'", run("[1 2]"));
    assertFails(main + "line 2, column 2: expected", run("\n[1.5]"));
    assertFails(main + "line 1, column 1: expected a value of type []i32, got the end", run(""));
    assertFails(
        main + "byte 7: expected a value of type []i32, got a binary", run("b\2\0 i32\0\0\0\0"));
    assertFails("standard input contains more", run("[1] 2"));
  }

  @Test
  void runTimeErrors() {
    assertEquals(
        new Outcome(1, "", "Error: Index [1] out of bounds.\n\nBacktrace:\n-> #0  a.fut:1:2-3\n"),
        run("", "-e", "fail"));
    assertFails("Error: Cannot allocate an array of", run("", "-e", "memory"));
    assertFails("Backtrace:\n-> #0  sample.fut:3:5-20\n", run("", "-e", "memory"));
  }

  @Test
  void outputThatCannotBeWritten() {
    OutputStream full =
        new OutputStream() {
          @Override
          public void write(int b) throws IOException {
            throw new IOException("No space left on device");
          }
        };
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int status =
        ExecutableMain.run(
            new SampleProgram(),
            new String[0],
            new ByteArrayInputStream("[1]".getBytes(StandardCharsets.UTF_8)),
            full,
            new PrintStream(err));
    assertEquals(1, status);
    assertEquals("sample: No space left on device\n", err.toString(StandardCharsets.UTF_8));
  }

  @Test
  void theDescriptionOfTheJarNamesTheEntryPoints() {
    String text = Description.of(new SampleProgram());
    assertTrue(text.startsWith("sample is a Futhark program, compiled by futharkc for "), text);
    assertTrue(text.contains(" : "), text);
  }
}
