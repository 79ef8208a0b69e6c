package futharkc.core.runtime;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Files that are read whole, and what can go wrong with that. */
public final class WholeFile {
  /** What programs, kernels and settings are far from, in bytes. */
  private static final int MOST = 256 << 20;

  private WholeFile() {}

  /**
   * The contents of a file, which may be a pipe.
   *
   * @throws IOException if it cannot be read, or does not end within 256 MiB, as some devices never
   *     do
   */
  public static byte[] read(Path file) throws IOException {
    if (Files.isDirectory(file)) {
      throw new FileSystemException(file.toString(), null, "it is a folder");
    }
    try (InputStream in = Files.newInputStream(file)) {
      byte[] contents = in.readNBytes(MOST);
      if (contents.length == MOST && in.read() >= 0) {
        throw new FileSystemException(
            file.toString(), null, "it has more than " + (MOST >> 20) + " MiB");
      }
      return contents;
    }
  }

  /** What went wrong with a file, in words that do not name it. */
  public static String reason(IOException e) {
    return switch (e) {
      case NoSuchFileException _ -> "no such file";
      case AccessDeniedException _ -> "permission denied";
      case CharacterCodingException _ -> "it is no text in UTF-8";
      case FileSystemException f when f.getReason() != null -> f.getReason();
      default -> String.valueOf(e.getMessage());
    };
  }
}
