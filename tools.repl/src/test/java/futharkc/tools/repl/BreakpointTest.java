package futharkc.tools.repl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import futharkc.core.driver.Compiler;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of breakpoints in sessions. */
final class BreakpointTest {
  private static final Compiler COMPILER = Compiler.create();

  private static String session(Path program, String... inputs) throws IOException {
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    byte[] lines = String.join("\n", inputs).getBytes(StandardCharsets.UTF_8);
    Repl.run(
        COMPILER,
        program,
        new Repl.Console(
            new ByteArrayInputStream(lines),
            new PrintStream(printed, true, StandardCharsets.UTF_8),
            false,
            false,
            () -> {}));
    String folder = program == null ? "" : program.getParent() + "/";
    return printed.toString(StandardCharsets.UTF_8).replace(folder, "");
  }

  private static Path program(Path folder) throws IOException {
    return Files.writeString(
        folder.resolve("p.fut"),
        """
        def inner (k: i32) (p: {a: i64, b: []f32}, o: #none | #some i32) =
          let q = k * 2
          in #[break] q + 1 + i32.i64 (p.a + length p.b) + (match o case #none -> 0 case #some x -> x)

        def f [n] (xs: [n]i32) (ys: [n]f32) =
          let ws = copy xs
          let zs = ws with [0] = 7
          let q = inner zs[0] ({a = n, b = ys}, #some (-3))
          in q + #[trace(zs)] zs[0]
        """);
  }

  @Test
  void framesHaveTheVariablesInScope(@TempDir Path folder) throws IOException {
    String said =
        session(
            program(folder),
            "f [1,2] [0.5,f32.nan]",
            "(k, q, p, o)",
            ":frame 1",
            "zip zs ys",
            "ws",
            "(n, :",
            ":type map (+ 1) xs",
            "def u = q",
            ":frame 2",
            ":fr 3",
            "",
            "1 + 1");
    assertEquals(
        """
        [0]> Breakpoint at p.fut:3:6-95
        -> #0  p.fut:3:6-95
           #1  p.fut:8:11-52
           #2  [0]:1:1-22

        <Enter> to continue.
        [1]> (7, 14, {a = 2, b = [0.5, f32.nan]}, #some -3)
        [2]>    #0  p.fut:3:6-95
        -> #1  p.fut:8:11-52
           #2  [0]:1:1-22

        [3]> [(7, 0.5), (2, f32.nan)]
        """,
        said.substring(0, said.indexOf("[4]>")));
    assertEquals("[4]> Error at [4]:1:1-3: [E0301]", line(said, "[4]>"), "a consumed array");
    assertEquals("[6]> [n]i32", line(said, "[6]>"));
    assertEquals("[7]> Error at [7]:1:9-10: [E0301]", line(said, "[7]>"), "q is not computed yet");
    assertEquals(
        """
           #0  p.fut:3:6-95
           #1  p.fut:8:11-52
        -> #2  [0]:1:1-22

        [9]> There is no frame '3'.
        [10]> Continuing...
        zs: 7
        23
        [11]> 2
        [12]> Leaving 'futhark repl'.
        """,
        said.substring(said.indexOf("[8]> ") + 5));
  }

  private static String line(String text, String beginning) {
    return text.lines().filter(l -> l.startsWith(beginning)).findFirst().orElse("");
  }

  @Test
  void breakpointsInMapsStopForEachElementUntilSkipped() throws IOException {
    String said =
        session(
            null,
            "let g (x: i32) = #[break] x",
            "map (\\y -> g y) [1, 2, 3]",
            "x",
            "",
            "x",
            ":unbreak",
            "g 4");
    assertEquals(2, said.split("Breakpoint at", -1).length - 1);
    assertEquals("[2]> 1", line(said, "[2]>"));
    assertEquals("[4]> 2", line(said, "[4]>"));
    assertEquals("[6]> 4", line(said, "[6]>"));
  }

  @Test
  void commandsThatReplaceTheProgramEndTheEvaluation(@TempDir Path folder) throws IOException {
    String said =
        session(program(folder), "f [1] [1]", "def new = 1", ":reload", "new", "f [1] [1]", ":q");
    assertTrue(said.contains("[3]> Error at [3]:1:1-4: [E0301]"), said);
    assertEquals(2, said.split("Breakpoint at", -1).length - 1);
    assertTrue(said.endsWith("[5]> Leaving 'futhark repl'.\n"), said);
  }

  @Test
  void newNansAreBreakpointsIfWanted() throws IOException {
    String said =
        session(
            null,
            "0f64 / 0",
            ":nanbreak",
            "map (\\x -> f64.sqrt (x / 0) + 1) [0, 1, -1]",
            "x",
            "",
            "x",
            "",
            ":nanbreak",
            "0f64 / 0");
    assertEquals("[0]> f64.nan", line(said, "[0]>"));
    assertEquals("[2]> NaN produced at [2]:1:22-27", line(said, "[2]>"));
    assertEquals("[3]> 0.0", line(said, "[3]>"));
    assertEquals("NaN produced at [2]:1:12-28", line(said, "NaN produced"));
    assertEquals("[5]> -1.0", line(said, "[5]>"));
    assertEquals("[8]> f64.nan", line(said, "[8]>"));
  }

  @Test
  void tracesShowWholeValues() throws IOException {
    String said = session(null, "#[trace(v)] {a = [[1, 2], [3, 4]], b = (200u8, #c : #c | #d)}");
    assertEquals(
        """
        [0]> v: {a = [[1, 2],
                 [3, 4]], b = (200, #c)}
        {a = [[1, 2],
              [3, 4]], b = (200, #c)}
        [1]> Leaving 'futhark repl'.
        """,
        said);
  }
}
