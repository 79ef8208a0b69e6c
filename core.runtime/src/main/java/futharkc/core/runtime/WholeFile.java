package futharkc.core.runtime;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Reading of whole files with a size limit. */
public final class WholeFile {
  /** The size limit in bytes, far above the size of programs, kernels and settings. */
  private static final int MOST = 256 << 20;

  private WholeFile() {}

  /**
   * Reads the contents of a file or pipe.
   *
   * @throws IOException if the file cannot be read, or is longer than 256 MiB, as some devices are
   *     endless
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

  /** Returns the reason of an input/output error, without the file's name. */
  public static String reason(IOException e) {
    return switch (e) {
      case NoSuchFileException _ -> "no such file";
      case AccessDeniedException _ -> "permission denied";
      case CharacterCodingException _ -> "it is not UTF-8 text";
      case FileSystemException f when f.getReason() != null -> f.getReason();
      default -> String.valueOf(e.getMessage());
    };
  }
}
