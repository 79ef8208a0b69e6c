package futharkc.core.runtime;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/**
 * The version of the compiler, and of the compiler that made an executable. The build writes the
 * version into a resource.
 */
public final class BuildVersion {
  private BuildVersion() {}

  /** Returns the version, such as {@code 0.1.0}. */
  public static String text() {
    try (InputStream in = BuildVersion.class.getResourceAsStream("version.txt")) {
      return in == null ? "unknown" : new String(in.readAllBytes(), StandardCharsets.UTF_8).strip();
    } catch (IOException e) {
      return "unknown";
    }
  }
}
