package futharkc.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of the command {@code futharkc fmt}. */
final class FmtCommandTest {
  private static final String UNFORMATTED = "let f x=x+1";
  private static final String FORMATTED = "def f x = x + 1\n";

  @TempDir private Path folder;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  private int fmt(String typed, String... args) {
    out.reset();
    err.reset();
    Console console =
        new Console(
            new ByteArrayInputStream(typed.getBytes(StandardCharsets.UTF_8)),
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8),
            false,
            false);
    return Main.run(
        Stream.concat(Stream.of("fmt"), Stream.of(args)).toArray(String[]::new), console);
  }

  private Path file(String text) throws IOException {
    return Files.writeString(folder.resolve("program.fut"), text);
  }

  @Test
  void standardInputGoesToStandardOutput() {
    assertEquals(Status.OK, fmt(UNFORMATTED));
    assertEquals(FORMATTED, out.toString(StandardCharsets.UTF_8));
    assertEquals(Status.FAILED, fmt(UNFORMATTED, "--check"));
    assertEquals(Status.OK, fmt(FORMATTED, "--check"));
    assertEquals(0, out.size());
  }

  @Test
  void filesAreReplaced() throws IOException {
    Path file = file(UNFORMATTED);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-xr--"));
    Path link = Files.createSymbolicLink(folder.resolve("link.fut"), file);
    assertEquals(Status.OK, fmt("", link.toString()));
    assertEquals(FORMATTED, Files.readString(file));
    assertTrue(Files.isSymbolicLink(link));
    assertEquals("rw-r-xr--", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
    try (Stream<Path> files = Files.list(folder)) {
      assertEquals(2, files.count());
    }
  }

  @Test
  void checkNamesAllUnformattedFiles() throws IOException {
    Path file = file(UNFORMATTED);
    Path good = Files.writeString(folder.resolve("good.fut"), FORMATTED);
    Path other = Files.writeString(folder.resolve("other.fut"), UNFORMATTED);
    int status = fmt("", "--check", file.toString(), good.toString(), other.toString());
    assertEquals(Status.FAILED, status);
    assertEquals(
        file + ": not formatted correctly.\n" + other + ": not formatted correctly.\n",
        err.toString(StandardCharsets.UTF_8));
    assertEquals(UNFORMATTED, Files.readString(file));
  }

  @Test
  void filesWithSyntaxErrorsStayUnchanged() throws IOException {
    Path file = file("def f = (");
    assertEquals(Status.FAILED, fmt("", file.toString()));
    assertEquals("def f = (", Files.readString(file));
    assertTrue(
        err.toString(StandardCharsets.UTF_8).contains("program.fut:1:"),
        err.toString(StandardCharsets.UTF_8));
  }
}
