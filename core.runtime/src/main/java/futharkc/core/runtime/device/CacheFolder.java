package futharkc.core.runtime.device;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The user's cache folder: {@code FUTHARKC_CACHE}, or {@code futharkc} in the operating system's
 * cache folder.
 */
public final class CacheFolder {
  private CacheFolder() {}

  /**
   * Returns a subfolder that only the user can write to, and creates it if necessary.
   *
   * @return null if this is not possible
   */
  public static @Nullable Path find(String name) {
    return find(System.getenv(), System.getProperty("os.name", ""), home(), name);
  }

  private static String home() {
    return System.getProperty("user.home", "");
  }

  static @Nullable Path find(Map<String, String> env, String system, String home, String name) {
    Path root = root(env, system.toLowerCase(Locale.ROOT), home);
    if (root == null) {
      return null;
    }
    try {
      Path folder = root.resolve(name);
      if (!Files.isDirectory(folder)) {
        create(folder);
      }
      return isPrivate(folder) ? folder : null;
    } catch (IOException | SecurityException e) {
      return null;
    }
  }

  private static @Nullable Path root(Map<String, String> env, String system, String home) {
    String own = env.get("FUTHARKC_CACHE");
    if (own != null && !own.isEmpty()) {
      return Path.of(own);
    }
    String xdg = env.get("XDG_CACHE_HOME");
    if (xdg != null && Path.of(xdg).isAbsolute()) {
      return Path.of(xdg, "futharkc");
    }
    String local = env.get("LOCALAPPDATA");
    if (system.startsWith("windows") && local != null) {
      return Path.of(local, "futharkc", "cache");
    }
    if (home.isEmpty() || !Path.of(home).isAbsolute()) {
      return null;
    }
    return system.startsWith("mac")
        ? Path.of(home, "Library", "Caches", "futharkc")
        : Path.of(home, ".cache", "futharkc");
  }

  private static void create(Path folder) throws IOException {
    Path root = folder.getParent();
    if (root != null && !Files.isDirectory(root)) {
      Files.createDirectories(root);
    }
    try {
      if (root != null && isPosix(root)) {
        Files.createDirectory(
            folder,
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
      } else {
        Files.createDirectory(folder);
      }
    } catch (java.nio.file.FileAlreadyExistsException e) {
      // Another process has created the folder.
    }
  }

  private static boolean isPosix(Path path) throws IOException {
    FileStore store = Files.getFileStore(path);
    return store.supportsFileAttributeView("posix");
  }

  /**
   * Tests whether only the user can write to a folder. Code from the folder runs in this process.
   */
  private static boolean isPrivate(Path folder) throws IOException {
    if (!isPosix(folder)) {
      return Files.isWritable(folder);
    }
    PosixFileAttributes attributes =
        Files.readAttributes(folder, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    return attributes.isDirectory()
        && Files.isWritable(folder)
        && !attributes.permissions().contains(PosixFilePermission.GROUP_WRITE)
        && !attributes.permissions().contains(PosixFilePermission.OTHERS_WRITE);
  }
}
