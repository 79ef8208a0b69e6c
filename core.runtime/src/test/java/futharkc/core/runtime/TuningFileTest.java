package futharkc.core.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class TuningFileTest {
  @TempDir Path folder;

  private Path file(String text) throws IOException {
    return Files.writeString(folder.resolve("t.tuning"), text);
  }

  @Test
  void emptyLinesAndCommentsAreSkipped() throws Exception {
    assertEquals(
        List.of(new TuningFile.Setting("main.tile", 16, 2), new TuningFile.Setting("rate", 3, 4)),
        TuningFile.read(file("-- tuned by hand\nmain.tile=16\n\n rate = 3\n")));
  }

  @Test
  void otherLinesAreErrorsThatNameThem() throws Exception {
    for (String bad : List.of("a=1\nb", "a=1\nb=x", "a=1\nb=-2")) {
      Path f = file(bad);
      var e = assertThrows(TuningFile.MalformedException.class, () -> TuningFile.read(f));
      assertEquals("tuning file " + f + ", line 2: expected NAME=INT", e.getMessage());
    }
  }

  @Test
  void filesWithoutAnEndAreErrors() {
    Path endless = Path.of("/dev/zero");
    assumeTrue(Files.exists(endless));
    IOException e = assertThrows(IOException.class, () -> TuningFile.read(endless));
    assertEquals("it has more than 256 MiB", WholeFile.reason(e));
  }

  @Test
  void foldersAreErrors() {
    IOException e = assertThrows(IOException.class, () -> TuningFile.read(folder));
    assertEquals("it is a folder", WholeFile.reason(e));
  }
}
