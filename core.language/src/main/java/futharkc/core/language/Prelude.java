package futharkc.core.language;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * The source of the prelude, which every program imports. The files of the prelude import each
 * other by names without folders.
 */
public final class Prelude {
  /** The file that opens all other files of the prelude. Every program imports it. */
  public static final String MAIN = "prelude";

  /** The names of all files. Each file comes after the files that it imports. */
  public static final List<String> FILES =
      List.of("functional", "zip", "soacs", "array", "math", "ad", MAIN);

  private Prelude() {}

  /**
   * Returns the text of a file, or empty if no file has the name.
   *
   * @param name the name without folder and extension
   */
  public static Optional<String> source(String name) {
    if (!FILES.contains(name)) {
      return Optional.empty();
    }
    try (InputStream in = Prelude.class.getResourceAsStream("prelude/" + name + ".fut")) {
      if (in == null) {
        throw new IllegalStateException("missing resource: prelude/" + name + ".fut");
      }
      return Optional.of(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The name of the resource with the checked prelude, which the build writes. */
  public static final String SNAPSHOT = "prelude/snapshot";

  /** Returns the checked prelude that the build wrote, or null if the resource is missing. */
  public static byte @Nullable [] snapshot() {
    try (InputStream in = Prelude.class.getResourceAsStream(SNAPSHOT)) {
      return in == null ? null : in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns a checksum of the prelude's text. */
  public static int key() {
    CRC32 crc = new CRC32();
    for (String name : FILES) {
      crc.update(source(name).orElseThrow().getBytes(StandardCharsets.UTF_8));
    }
    return (int) crc.getValue();
  }
}
