package futharkc.core.runtime.device;

import futharkc.core.runtime.FutharkError;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.Locale;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Initialises a Java binding whose native half is packed in a jar.
 *
 * <p>Such bindings unpack it into the folder for temporary files, unless a file of that name is
 * there already, whoever has put it there. So it is unpacked here, into a folder that nobody else
 * can write to, and that folder is the one for temporary files while the binding initialises.
 */
public final class NativeBinding {
  private NativeBinding() {}

  /**
   * Initialises a class, in whose initialiser the library is loaded.
   *
   * @param file name of the library's file
   * @param library its contents, which are read and closed; null if it is on the library path
   * @throws FutharkError if that fails
   */
  public static synchronized void initialise(
      String className, ClassLoader loader, String file, @Nullable InputStream library) {
    String property = "java.io.tmpdir";
    String before = System.getProperty(property, "");
    try {
      if (library != null) {
        System.setProperty(property, unpack(file, library).toString());
      }
      Class.forName(className, true, loader);
    } catch (IOException e) {
      throw new FutharkError("Cannot unpack " + file + ": " + e.getMessage());
    } catch (ClassNotFoundException | LinkageError e) {
      throw new FutharkError("Cannot load " + file + ": " + firstLine(e));
    } finally {
      System.setProperty(property, before);
    }
  }

  private static String firstLine(Throwable e) {
    Throwable cause = e.getCause() == null ? e : e.getCause();
    return String.valueOf(cause.getMessage()).lines().findFirst().orElse("");
  }

  /** The folder with the library in it. */
  private static Path unpack(String file, InputStream library) throws IOException {
    byte[] contents;
    try (library) {
      contents = library.readAllBytes();
    }
    Path natives = CacheFolder.find("natives");
    if (natives == null) {
      natives = Files.createTempDirectory("futharkc");
      natives.toFile().deleteOnExit();
    }
    CRC32C crc = new CRC32C();
    crc.update(contents);
    Path folder = natives.resolve(Long.toHexString(crc.getValue()));
    Files.createDirectories(folder);
    Path target = folder.resolve(file);
    if (!Files.isRegularFile(target) || !Arrays.equals(Files.readAllBytes(target), contents)) {
      Path temporary = Files.createTempFile(folder, ".new", ".tmp");
      Files.write(temporary, contents);
      Files.move(
          temporary, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
    return folder;
  }

  /** This machine, as in the names of native libraries: {@code linux-x86_64}. */
  public static String platform() {
    String system = System.getProperty("os.name", "").toLowerCase(Locale.ROOT);
    String machine = System.getProperty("os.arch", "").toLowerCase(Locale.ROOT);
    String name =
        system.startsWith("windows") ? "windows" : system.startsWith("mac") ? "apple" : "linux";
    return name
        + "-"
        + switch (machine) {
          case "amd64", "x86_64" -> "x86_64";
          case "aarch64", "arm64" -> "arm64";
          default -> machine;
        };
  }
}
