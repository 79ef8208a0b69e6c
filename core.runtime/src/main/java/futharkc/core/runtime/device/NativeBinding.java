package futharkc.core.runtime.device;

import futharkc.core.runtime.FutharkError;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Locale;
import java.util.function.Supplier;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * Initialises a Java binding whose native half is packed in a jar.
 *
 * <p>Such bindings unpack it into the folder for temporary files, unless a file of that name is
 * there already, whoever has put it there. So it is unpacked here, into a folder that nobody else
 * can write to, and that folder is the one for temporary files while the binding initialises.
 *
 * <p>A Java machine loads a file for one class loader only, and each program may have a loader of
 * its own. The first has the file that stays for the next start; others have copies, which are
 * deleted as soon as they are loaded. So has it if nothing can be kept.
 */
public final class NativeBinding {
  private NativeBinding() {}

  /**
   * Initialises a class, in whose initialiser the library is loaded.
   *
   * @param file name of the library's file, which is another one for each version of it
   * @param packed opens its contents, in the module that has them: others do not see its files; if
   *     that gives null, the library has to be on the library path
   * @throws FutharkError if that fails
   */
  public static void initialise(
      String className, ClassLoader loader, String file, Supplier<@Nullable InputStream> packed) {
    // This class, too, is there once for each loader, but there is one folder for temporary files.
    synchronized (System.getProperties()) {
      initialiseAlone(className, loader, file, packed);
    }
  }

  private static void initialiseAlone(
      String className, ClassLoader loader, String file, Supplier<@Nullable InputStream> packed) {
    String property = "java.io.tmpdir";
    String before = System.getProperty(property, "");
    Unpacked unpacked = null;
    try {
      unpacked = unpacked(file, packed);
      if (unpacked != null) {
        System.setProperty(property, unpacked.folder.toString());
      }
      Class.forName(className, true, loader);
    } catch (IOException e) {
      throw new FutharkError(
          "Cannot unpack "
              + file
              + ": "
              + e.getMessage()
              + "; it needs room in the cache folder or that for temporary files"
              + " (java.io.tmpdir).");
    } catch (ClassNotFoundException | LinkageError e) {
      throw new FutharkError("Cannot load " + file + ": " + firstLine(e));
    } finally {
      System.setProperty(property, before);
      if (unpacked != null && !unpacked.isKept) {
        drop(unpacked.folder, file);
      }
    }
  }

  /** Deletes a copy; what has been loaded stays in memory. */
  private static void drop(Path folder, String file) {
    try {
      Files.deleteIfExists(folder.resolve(file));
      Files.deleteIfExists(folder);
    } catch (IOException e) {
      // Not all systems let go of what is in use. The file goes first.
      folder.toFile().deleteOnExit();
      folder.resolve(file).toFile().deleteOnExit();
    }
  }

  private static String firstLine(Throwable e) {
    Throwable cause = e.getCause() == null ? e : e.getCause();
    return String.valueOf(cause.getMessage()).lines().findFirst().orElse("");
  }

  /** Whether a class loader of this Java machine has loaded the file before. */
  private static boolean isTaken(String file) {
    return System.getProperties().putIfAbsent("futharkc.native." + file, "loaded") != null;
  }

  /**
   * Where the library is.
   *
   * @param isKept whether it stays there for the next start
   */
  private record Unpacked(Path folder, boolean isKept) {}

  /** The folder with the library in it; null if it is not packed. */
  private static @Nullable Unpacked unpacked(String file, Supplier<@Nullable InputStream> packed)
      throws IOException {
    Path natives = isTaken(file) ? null : CacheFolder.find("natives");
    Path there = natives == null ? null : existing(natives, file);
    if (there != null) {
      return new Unpacked(there, true);
    }
    InputStream library = packed.get();
    if (library == null) {
      return null;
    }
    byte[] contents;
    try (library) {
      contents = library.readAllBytes();
    }
    if (natives != null) {
      try {
        return new Unpacked(write(natives, file, contents), true);
      } catch (IOException e) {
        // The disk may be full, but for what programs need in passing.
      }
    }
    Path folder = Files.createTempDirectory("futharkc");
    try {
      Files.write(folder.resolve(file), contents);
    } catch (IOException e) {
      drop(folder, file);
      throw e;
    }
    return new Unpacked(folder, false);
  }

  /** Writes it to a folder for later starts, which appears whole. */
  private static Path write(Path natives, String file, byte[] contents) throws IOException {
    Path folder = natives.resolve(checksum(contents));
    Files.createDirectories(folder);
    Path temporary = Files.createTempFile(folder, ".new", ".tmp");
    try {
      Files.write(temporary, contents);
      Files.move(
          temporary,
          folder.resolve(file),
          StandardCopyOption.ATOMIC_MOVE,
          StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(temporary);
    }
    return folder;
  }

  /** The folder where it was unpacked before, which bears the checksum of the contents. */
  private static @Nullable Path existing(Path natives, String file) throws IOException {
    try (DirectoryStream<Path> folders = Files.newDirectoryStream(natives)) {
      for (Path folder : folders) {
        Path target = folder.resolve(file);
        if (Files.isRegularFile(target)
            && folder.getFileName().toString().equals(checksum(Files.readAllBytes(target)))) {
          return folder;
        }
      }
    }
    return null;
  }

  private static String checksum(byte[] contents) {
    CRC32 crc = new CRC32();
    crc.update(contents);
    return Long.toHexString(crc.getValue());
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
