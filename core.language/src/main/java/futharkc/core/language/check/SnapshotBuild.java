package futharkc.core.language.check;

import futharkc.core.language.Prelude;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Run by the build: checks the prelude, and leaves it where the compiler finds it. */
final class SnapshotBuild {
  private SnapshotBuild() {}

  /** Takes the file to write. */
  public static void main(String[] args) throws IOException {
    Files.write(Path.of(args[0]), SnapshotWriter.write(Base.make(), Prelude.key()));
  }
}
