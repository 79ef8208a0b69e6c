package futharkc.tools.literate;

import futharkc.harness.testing.ScriptException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The files of a page, in a folder of their own. A file whose name has the hash of its contents'
 * origin is kept for later runs.
 */
final class PageFiles {
  /** The file that marks a folder of files which can be made again. */
  private static final String TAG = "CACHEDIR.TAG";

  private static final String TAG_TEXT =
      "Signature: 8a477f597d28d172789f06886806bc55\n"
          + "# This folder has the images of a literate program. It can be deleted.\n";

  private final Path folder;
  private final Set<Path> used = new HashSet<>();

  PageFiles(Path folder) {
    this.folder = folder;
  }

  /** An action that writes a file. */
  @FunctionalInterface
  interface Maker {
    void make(Path file) throws ScriptException, IOException;
  }

  /**
   * Returns a file, which is made if it does not exist.
   *
   * @param name the name of the file in the folder
   * @param reusable whether an existing file is the right one
   */
  Path file(String name, boolean reusable, Maker maker) throws ScriptException, IOException {
    Path file = folder.resolve(name);
    if (!reusable || !Files.exists(file)) {
      Files.createDirectories(folder);
      Path tag = folder.resolve(TAG);
      if (!Files.exists(tag)) {
        Files.writeString(tag, TAG_TEXT);
      }
      Path unfinished = folder.resolve("unfinished-" + name);
      try {
        maker.make(unfinished);
        Files.move(unfinished, file, StandardCopyOption.REPLACE_EXISTING);
      } finally {
        Files.deleteIfExists(unfinished);
      }
    }
    used.add(file);
    return file;
  }

  /** Returns the link to a file from a page beside the folder. */
  String link(Path file) {
    return folder.getFileName() + "/" + file.getFileName();
  }

  /** Deletes the files that no directive uses any more, if this class has made the folder. */
  void deleteUnused() throws IOException {
    if (!Files.exists(folder.resolve(TAG))) {
      return;
    }
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        if (!used.contains(file)
            && !file.getFileName().toString().equals(TAG)
            && Files.isRegularFile(file)) {
          Files.delete(file);
        }
      }
    }
  }

  /** Deletes a folder and the files in it. */
  static void deleteFolder(Path folder) throws IOException {
    List<Path> all;
    try (Stream<Path> files = Files.list(folder)) {
      all = files.toList();
    }
    for (Path file : all) {
      Files.delete(file);
    }
    Files.delete(folder);
  }
}
