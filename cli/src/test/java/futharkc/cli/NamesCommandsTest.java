package futharkc.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of the commands {@code futharkc defs} and {@code futharkc query}. */
final class NamesCommandsTest {
  @TempDir private Path folder;
  private String program = "";
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  @BeforeEach
  void writeProgram() throws IOException {
    Files.writeString(folder.resolve("lib.fut"), "def one = 1i32\n");
    String text =
        """
        import "lib"
        module m = { type t = i32 local def f (x: t) = x + one }
        module type s = { val x : i32 }
        open (\\(p: s) -> { def y = p.x }) { def x = 2i32 }
        def main [n] (xs: [n]i32) = map (+ y) xs
        """;
    program = Files.writeString(folder.resolve("main.fut"), text).toString();
  }

  private String run(String... args) {
    out.reset();
    PrintStream stream = new PrintStream(out, true, StandardCharsets.UTF_8);
    Console console =
        new Console(new ByteArrayInputStream(new byte[0]), stream, stream, false, false);
    assertEquals(Status.OK, Main.run(args, console), () -> out.toString(StandardCharsets.UTF_8));
    return out.toString(StandardCharsets.UTF_8).replace(folder + "/", "");
  }

  @Test
  void definitionsOfAllFilesAreListed() {
    assertEquals(
        """
        value one lib.fut:1:1-14
        module m main.fut:2:1-56
        type t main.fut:2:14-25
        value f main.fut:2:33-54
        module type s main.fut:3:1-31
        value y main.fut:4:20-30
        value x main.fut:4:37-48
        value main main.fut:5:1-40
        """,
        run("defs", program));
  }

  @Test
  void namesAtPositionsAreDescribed() {
    assertEquals(
        """
        Name: one
        Position: main.fut:2:52-54
        Type: i32
        Definition: lib.fut:1:1-14
        """,
        run("query", program, "2", "53"));
    assertEquals(
        """
        Name: map
        Position: main.fut:5:29-31
        Type: (a -> x) -> [n]a -> *[n]x
        Definition: /prelude/soacs.fut:4:1-70
        """,
        run("query", program, "5", "29"));
    assertEquals(
        """
        Name: t
        Position: main.fut:2:43-43
        Definition: main.fut:2:14-25
        """,
        run("query", program, "2", "43"));
    assertEquals("No information available.\n", run("query", program, "5", "1"));
  }
}
