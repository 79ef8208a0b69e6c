package futharkc.core.language.check;

import futharkc.core.language.Prelude;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The build step that checks the prelude and writes its snapshot. */
final class SnapshotBuild {
  private SnapshotBuild() {}

  /** Writes the snapshot to the file that the first argument names. */
  public static void main(String[] args) throws IOException {
    Files.write(Path.of(args[0]), SnapshotWriter.write(PreludeEnvironment.make(), Prelude.key()));
  }
}
