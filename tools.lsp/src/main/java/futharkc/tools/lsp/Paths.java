package futharkc.tools.lsp;

import futharkc.core.language.Prelude;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The conversion between the addresses of the protocol and the paths of the compiler. */
final class Paths {
  private static final String PRELUDE = "/prelude/";

  private Paths() {}

  /** Returns the path of an address; an address of no file is its own path. */
  static String path(String uri) {
    try {
      URI parsed = URI.create(uri);
      return "file".equals(parsed.getScheme()) ? Path.of(parsed).normalize().toString() : uri;
    } catch (IllegalArgumentException e) {
      return uri;
    }
  }

  /** Returns the address of a path. A file of the prelude is written to a temporary folder. */
  static String uri(String path) {
    if (path.startsWith(PRELUDE)) {
      return prelude(path).toUri().toString();
    }
    return path.startsWith("/") || path.length() > 1 && path.charAt(1) == ':'
        ? Path.of(path).toUri().toString()
        : path;
  }

  private static Path prelude(String path) {
    String name = path.substring(PRELUDE.length(), path.length() - ".fut".length());
    String text = Prelude.source(name).orElseThrow();
    Path folder =
        Path.of(
            System.getProperty("java.io.tmpdir"),
            "futharkc-prelude-" + System.getProperty("user.name") + "-" + Prelude.key());
    Path file = folder.resolve(name + ".fut");
    try {
      if (!Files.isRegularFile(file) || !Files.readString(file).equals(text)) {
        Files.createDirectories(folder);
        Files.writeString(file, text);
      }
      return file;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the text of a file on disk, or null if it cannot be read. */
  static @Nullable String read(String path) {
    try {
      Path file = Path.of(path);
      return Files.isRegularFile(file) ? Files.readString(file) : null;
    } catch (IOException | InvalidPathException e) {
      return null;
    }
  }
}
