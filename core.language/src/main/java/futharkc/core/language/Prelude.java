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
 * The source of the prelude, which every program sees; its files import each other by bare names.
 */
public final class Prelude {
  /** The file that opens all others; this one is what programs see. */
  public static final String MAIN = "prelude";

  /** The names of all files, each after those that it imports. */
  public static final List<String> FILES =
      List.of("functional", "zip", "soacs", "array", "math", "ad", MAIN);

  private Prelude() {}

  /** The text of the file of that name, without folder and extension; empty if there is none. */
  public static Optional<String> source(String name) {
    if (!FILES.contains(name)) return Optional.empty();
    try (InputStream in = Prelude.class.getResourceAsStream("prelude/" + name + ".fut")) {
      if (in == null) throw new IllegalStateException("missing resource: prelude/" + name + ".fut");
      return Optional.of(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The name of the resource that the build leaves the checked prelude in. */
  public static final String SNAPSHOT = "prelude/snapshot";

  /** The checked prelude as the build left it, if it did. */
  public static byte @Nullable [] snapshot() {
    try (InputStream in = Prelude.class.getResourceAsStream(SNAPSHOT)) {
      return in == null ? null : in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A checksum of the prelude's text. */
  public static int key() {
    CRC32 crc = new CRC32();
    for (String name : FILES) {
      crc.update(source(name).orElseThrow().getBytes(StandardCharsets.UTF_8));
    }
    return (int) crc.getValue();
  }
}
