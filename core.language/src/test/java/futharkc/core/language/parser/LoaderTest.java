package futharkc.core.language.parser;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import futharkc.core.language.Diagnostics;
import futharkc.core.language.syntax.SourceFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LoaderTest {
  private final Diagnostics sink = new Diagnostics();

  private List<String> load(Map<String, String> files, String main) {
    var loader = new Loader(ImportResolver.texts(files), n -> false, sink);
    loader.load(main);
    return loader.files().stream().map(SourceFile::name).toList();
  }

  @Test
  void importedFilesComeFirstAndOnce() {
    var files =
        Map.of(
            "main",
                "import \"lib/a\" module M = { open import \"b\" } module N = F (import \"lib/c\")",
            "lib/a", "local import \"./../b\" import \"c\"",
            "lib/c", "",
            "b", "");
    assertEquals(List.of("b", "lib/c", "lib/a", "main"), load(files, "main"));
    assertFalse(sink.hasErrors());
  }

  @Test
  void missingFileIsAnErrorAtTheImport() {
    assertEquals(List.of("main"), load(Map.of("main", "def x = 1\nimport \"lib/none\""), "main"));
    assertEquals("main.fut:2:1-18", sink.all().getFirst().loc().toString());
    assertTrue(sink.all().getFirst().message().contains("\"lib/none\""));
  }

  @Test
  void cycleIsShown() {
    load(Map.of("m", "import \"a\"", "a", "import \"b\"", "b", "import \"a\""), "m");
    assertEquals("Import cycle: a imports b imports a.", sink.all().getFirst().message());
    assertEquals("b.fut", sink.all().getFirst().loc().file());
  }

  @Test
  void namesAreRelativeToTheImportingFile() {
    assertEquals("a/c", ImportNames.resolve("a/b", "c"));
    assertEquals("c", ImportNames.resolve("a/b", "../c"));
    assertEquals("../c", ImportNames.resolve("a", "../c"));
    assertEquals("/prelude/x", ImportNames.resolve("a/b", "/prelude/x"));
    assertEquals("/prelude/x", ImportNames.resolve("/prelude/y", "x"));
  }

  @Test
  void filesAreFoundOnDisk(@TempDir Path dir) throws IOException {
    Files.createDirectory(dir.resolve("lib"));
    Files.writeString(
        dir.resolve("main.fut"), "import \"/prelude/x\" import \"lib/a\" import \"bad\"");
    Files.writeString(dir.resolve("lib/a.fut"), "def x = 1");
    Files.write(dir.resolve("bad.fut"), new byte[] {(byte) 0xff, (byte) 0xfe});
    var loader = new Loader(ImportResolver.files(dir), n -> n.startsWith("/prelude/"), sink);
    loader.load("main");
    assertEquals(List.of("lib/a", "main"), loader.files().stream().map(SourceFile::name).toList());
    assertTrue(sink.all().getFirst().message().contains("not valid UTF-8"));
    assertTrue(loader.text(dir.resolve("lib/a.fut").toString()).isPresent());
  }
}
