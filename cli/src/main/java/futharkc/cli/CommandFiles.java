package futharkc.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A program that writes the manual pages and the completion scripts of all commands. The build of
 * the archive runs it.
 */
public final class CommandFiles {
  private CommandFiles() {}

  /**
   * Writes the files below a folder {@code share}.
   *
   * @param args the folder
   * @throws IOException if a file cannot be written
   */
  public static void main(String[] args) throws IOException {
    for (var file : files().entrySet()) {
      Path target = Path.of(args[0]).resolve(file.getKey());
      Files.createDirectories(target.getParent());
      Files.writeString(target, file.getValue());
    }
  }

  /** Returns all files by name, relative to the folder {@code share}. */
  static Map<String, String> files() {
    Map<String, String> files = new LinkedHashMap<>(ShellCompletion.files());
    ManPage.all().forEach((name, text) -> files.put("man/man1/" + name, text));
    return files;
  }
}
