package futharkc.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands that print something about a program or data file. */
final class SmallCommandsTest {
  @TempDir private Path folder;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  private int run(String... args) {
    out.reset();
    err.reset();
    Console console =
        new Console(
            new ByteArrayInputStream(new byte[0]),
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8),
            false,
            false);
    return Main.run(args, console);
  }

  private String said() {
    return out.toString(StandardCharsets.UTF_8);
  }

  private String complained() {
    return err.toString(StandardCharsets.UTF_8);
  }

  private String file(String name, String text) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    return Files.writeString(file, text).toString();
  }

  private String hash(String file) {
    assertEquals(Status.OK, run("hash", file));
    assertTrue(said().matches("[0-9a-f]{32}\n"), said());
    return said();
  }

  @Test
  void projectsAreMade() throws IOException {
    Path program = folder.resolve("my-sums");
    assertEquals(Status.OK, run("new", "program", program.toString(), "--package=com.acme"));
    assertTrue(
        Files.readString(program.resolve("src/test/java/com/acme/MySumsTest.java"))
            .contains("import com.acme.my_sums.MySums;"));
    assertEquals(
        Status.OK, run("check", program.resolve("src/main/futhark/my-sums.fut").toString()));
    Path pass = folder.resolve("doubling");
    assertEquals(Status.OK, run("new", "pass", pass.toString()));
    assertEquals(
        "com.example.DoublingPass\n",
        Files.readString(
            pass.resolve("src/main/resources/META-INF/services/futharkc.core.ir.spi.Pass")));
    assertEquals(Status.FAILED, run("new", "pass", pass.toString()));
    assertTrue(complained().contains("already"), complained());
    assertEquals(Status.FAILED, run("new", "pass", folder.resolve("A").toString()));
    assertEquals(Status.FAILED, run("new", "library", folder.resolve("a").toString()));
  }

  @Test
  void theHashIsThatOfTheMeaningfulText() throws IOException {
    String program = file("p.fut", "import \"lib/a\"\ndef main (x: i32) = x + a\n");
    file("lib/a.fut", "def a = 1i32");
    String hash = hash(program);
    assertEquals(hash, hash(folder + "/lib/../p.fut"));
    file("p.fut", "-- Adds.\n\nimport \"lib/a\"\n-- | Doc.\ndef main(x:i32)=\n  x+a");
    assertEquals(hash, hash(program));
    file("lib/a.fut", "def a = 2i32");
    assertNotEquals(hash, hash(program));
    assertEquals(Status.REJECTED, run("hash", file("bad.fut", "def = 3")));
  }

  @Test
  void syntaxIsCheckedWithoutTypes() throws IOException {
    assertEquals(Status.OK, run("check-syntax", file("ill.fut", "def f = nothing + true")));
    assertEquals("", said() + complained());
    assertEquals(Status.REJECTED, run("check-syntax", file("i.fut", "import \"none\"")));
    assertTrue(complained().contains("E0201"));
    file("bad.fut", "def = 3");
    assertEquals(Status.REJECTED, run("check-syntax", file("j.fut", "import \"bad\"")));
    assertTrue(complained().contains("bad.fut:1:5"));
  }

  @Test
  void importsAreListedOnce() throws IOException {
    file("a.fut", "def a = 1i32");
    file("sub/b.fut", "import \"../a\"\ndef b = a");
    String program = file("p.fut", "import \"sub/b\"\nimport \"a\"\ndef c = a + b");
    assertEquals(Status.OK, run("imports", program));
    assertEquals(folder + "/a.fut\n" + folder + "/sub/b.fut\n" + program + "\n", said());
    assertEquals(Status.REJECTED, run("imports", file("ill.fut", "def f = nothing")));
  }

  @Test
  void tokensHavePositionsAndNames() throws IOException {
    assertEquals(Status.OK, run("tokens", file("t.fut", "def f = a[1i32] -- comment\n")));
    assertEquals(
        "1:1 DEF def\n1:5 ID f\n1:7 EQ =\n1:9 ID a\n1:10 INDEXING [\n1:11 INT 1i32\n"
            + "1:15 RBRACKET ]\n",
        said());
    assertEquals(Status.REJECTED, run("tokens", file("bad.fut", "def f = \u0007")));
  }

  @Test
  void everyDifferenceOfDataFilesIsPrinted() throws IOException {
    String a = file("a", "[1i32, 2i32, 3i32] 1.0f64 f32.nan");
    assertEquals(Status.OK, run("datacmp", a, file("b", "[1i32, 2i32, 3i32] 1.001f64 f32.nan")));
    assertEquals(Status.REJECTED, run("datacmp", a, file("c", "[1i32, 5i32, 6i32] 2f64 f32.nan")));
    assertEquals(3, said().lines().count(), said());
    assertTrue(said().contains("value #0: index [2]: expected 6i32, got 3i32"), said());
    assertEquals(Status.REJECTED, run("datacmp", a, file("d", "1i32")));
    assertEquals(Status.FAILED, run("datacmp", a, folder + "/none"));
    assertEquals(Status.FAILED, run("datacmp", a, file("e", "what")));
    assertEquals(Status.FAILED, run("datacmp", a));
  }

  @Test
  void theInputOfACaseIsWritten() throws IOException {
    String program =
        file(
            "d.fut",
            "-- ==\n-- \"small\" input { 2i8 }\n-- \"smaller\" input { 1i8 }\n"
                + "-- \"random\" random input { [3]u8 }\ndef main (x: i8) = x\n");
    assertEquals(Status.OK, run("dataget", program, "small"));
    byte[] bytes = out.toByteArray();
    assertEquals('b', bytes[0]);
    assertEquals(2, bytes[bytes.length - 1]);
    assertEquals(Status.OK, run("dataget", program, "rand"));
    byte[] random = out.toByteArray();
    assertEquals(Status.OK, run("dataget", program, "random"));
    assertArrayEquals(random, out.toByteArray());
    assertEquals(3, Arrays.copyOfRange(random, 7, 15)[0]);
    assertEquals(Status.FAILED, run("dataget", program, "smal"));
    assertTrue(complained().contains("fits several") && complained().contains("  smaller"));
    assertEquals(Status.FAILED, run("dataget", program, "large"));
    assertTrue(complained().contains("has no data set 'large'"));
    assertEquals(0, out.size());
  }

  @Test
  void anErrorIsExplained() {
    assertEquals(Status.OK, run("explain", "e0502"));
    assertTrue(said().startsWith("E0502\n\nTwo sizes do not match."), said());
    assertTrue(said().contains("Corrected:"), said());
    assertTrue(!said().contains("E0503"), said());
    assertEquals(Status.FAILED, run("explain", "E9999"));
  }

  @Test
  void everyCommandHasAVersion() {
    assertEquals(Status.OK, run("hash", "-V"));
    assertTrue(said().startsWith("futharkc "));
    assertEquals(Status.OK, run("thanks"));
    assertEquals(1, said().lines().count());
  }
}
