package futharkc.core.runtime.device;

import futharkc.core.runtime.CacheFolder;
import futharkc.core.runtime.FutharkError;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Locale;
import java.util.function.Supplier;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * The initialisation of a Java binding whose native library is packed in a jar.
 *
 * <p>By default, such bindings unpack the library into the folder for temporary files, and use an
 * existing file of that name from any user. This class unpacks the library into a folder that
 * nobody else can write to. That folder is the folder for temporary files while the binding
 * initialises.
 *
 * <p>A JVM loads a library file for one class loader only, and each program may have its own
 * loader. The first loader gets a file that stays for the next start. Other loaders get copies,
 * which are deleted after loading. If the folder cannot be used, the first loader also gets such a
 * copy.
 */
public final class NativeBinding {
  private NativeBinding() {}

  /**
   * Initialises a class whose static initialiser loads the library.
   *
   * @param className the name of the class
   * @param loader the class loader
   * @param file the name of the library's file, which differs between versions of the library
   * @param packed opens the library's resource in its module, which is encapsulated; returns null
   *     if the library must be on the library path
   * @throws FutharkError if the initialisation fails
   */
  public static void initialise(
      String className, ClassLoader loader, String file, Supplier<@Nullable InputStream> packed) {
    // Each class loader has its own copy of this class, but the folder for temporary files is
    // global.
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
              + "; it needs space in the cache folder or the folder for temporary files"
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

  /** Deletes a copy; the loaded library stays in memory. */
  private static void drop(Path folder, String file) {
    try {
      Files.deleteIfExists(folder.resolve(file));
      Files.deleteIfExists(folder);
    } catch (IOException e) {
      // Some systems cannot delete a file in use. Files are deleted before their folder.
      folder.toFile().deleteOnExit();
      folder.resolve(file).toFile().deleteOnExit();
    }
  }

  private static String firstLine(Throwable e) {
    Throwable cause = e.getCause() == null ? e : e.getCause();
    return String.valueOf(cause.getMessage()).lines().findFirst().orElse("");
  }

  /**
   * Tests whether another class loader of this JVM has loaded the file; marks the file as loaded.
   */
  private static boolean isTaken(String file) {
    return System.getProperties().putIfAbsent("futharkc.native." + file, "loaded") != null;
  }

  /**
   * The location of the library.
   *
   * @param folder the folder with the library
   * @param isKept true if the file stays for the next start
   */
  private record Unpacked(Path folder, boolean isKept) {}

  /** Returns the folder with the unpacked library; null if the library is not packed. */
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
        // The cache's disk may be full while the temporary folder is not.
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

  /** Writes the library to a folder for later starts, under a temporary name first. */
  private static Path write(Path natives, String file, byte[] contents) throws IOException {
    Path folder = CacheFolder.subfolder(natives, checksum(contents));
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

  /**
   * Returns the folder of an earlier start, whose name is the checksum of the contents; null if
   * there is none.
   */
  private static @Nullable Path existing(Path natives, String file) throws IOException {
    try (DirectoryStream<Path> folders = Files.newDirectoryStream(natives)) {
      for (Path folder : folders) {
        Path target = folder.resolve(file);
        if (Files.isRegularFile(target, LinkOption.NOFOLLOW_LINKS)
            && folder.getFileName().toString().equals(checksum(Files.readAllBytes(target)))) {
          return CacheFolder.subfolder(natives, folder.getFileName().toString());
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

  /** Returns the name of this platform in names of native libraries: {@code linux-x86_64}. */
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
