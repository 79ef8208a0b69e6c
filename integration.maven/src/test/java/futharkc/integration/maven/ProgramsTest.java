package futharkc.integration.maven;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of the choice of programs that are compiled again. */
final class ProgramsTest {
  @TempDir private Path folder;
  private Path source;
  private Path output;
  private final List<String> compiled = new ArrayList<>();
  private final List<String> errors = new ArrayList<>();
  private String failing = "";

  @BeforeEach
  void writePrograms() throws IOException {
    source = Files.createDirectories(folder.resolve("futhark"));
    output = folder.resolve("out");
    Files.createDirectories(source.resolve("lib"));
    Files.writeString(source.resolve("lib/common.fut"), "def x = 1");
    Files.writeString(source.resolve("a.fut"), "import \"lib/common\"");
    Files.writeString(source.resolve("b-2.fut"), "def y = 1");
  }

  /** A compiler that writes the files that the plugin reads; programs import lib/common. */
  private Programs.Result run(List<String> arguments) throws IOException {
    Path program = Path.of(arguments.get(arguments.size() - 1));
    compiled.add(program.getFileName().toString());
    if (program.getFileName().toString().equals(failing)) {
      return new Programs.Result(2, "Error at " + program + ":1:20-21: [E0301]\nUnknown name.\n");
    }
    Path made = Path.of(arguments.get(arguments.indexOf("--unpack") + 1));
    Files.createDirectories(made);
    List<String> files = new ArrayList<>();
    if (Files.readString(program).contains("import")) {
      files.add(source.resolve("lib/common.fut").toString());
    }
    files.add(program.toString());
    Files.write(made.resolve("files"), files);
    return new Programs.Result(0, "");
  }

  private boolean compile(String... options) throws IOException {
    compiled.clear();
    errors.clear();
    return new Programs(source, output, List.of(options), this::run)
            .compile("com.acme", line -> {}, errors::add)
        != null;
  }

  @Test
  void onlyChangedProgramsAreCompiled() throws IOException {
    assertTrue(compile());
    assertEquals(List.of("a.fut", "b-2.fut"), compiled);
    assertTrue(compile());
    assertEquals(List.of(), compiled);
    Files.writeString(source.resolve("b-2.fut"), "-- comment\ndef y = 1");
    assertTrue(compile());
    assertEquals(List.of("b-2.fut"), compiled);
    Files.writeString(source.resolve("lib/common.fut"), "def x = 2");
    assertTrue(compile());
    assertEquals(List.of("a.fut"), compiled);
    assertTrue(compile("--Werror"));
    assertEquals(List.of("a.fut", "b-2.fut"), compiled);
  }

  @Test
  void theOutputOfDeletedProgramsIsDeleted() throws IOException {
    assertTrue(compile());
    assertTrue(Files.exists(output.resolve("b-2")));
    Files.delete(source.resolve("b-2.fut"));
    assertTrue(compile());
    assertFalse(Files.exists(output.resolve("b-2")));
    assertTrue(Files.exists(output.resolve("a")));
  }

  @Test
  void wrongProgramsAreReportedAndTriedAgain() throws IOException {
    failing = "a.fut";
    assertFalse(compile());
    assertEquals(source.resolve("a.fut") + ":[1,20] Error [E0301]", errors.get(0));
    assertEquals("Unknown name.", errors.get(errors.size() - 1));
    assertFalse(compile());
    assertEquals(List.of("a.fut"), compiled);
    failing = "";
    assertTrue(compile());
    assertEquals(List.of("a.fut"), compiled);
  }

  @Test
  void aProjectWithoutProgramsIsGood() throws IOException {
    source = folder.resolve("nothing");
    assertTrue(compile());
  }

  @Test
  void packagesAreNamedAfterPrograms() {
    assertEquals("com.acme.b_2", Programs.packageOf("com.acme", Path.of("x/B-2.fut")));
    assertEquals("com.acme._2d", Programs.packageOf("com.acme", Path.of("2d.fut")));
  }
}
