package futharkc.core.runtime;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The user's cache folder: {@code FUTHARKC_CACHE}, or {@code futharkc} in the operating system's
 * cache folder.
 *
 * <p>Code from the cache runs in this process. A folder is therefore used only if no other user
 * except root can change it or replace it: the folder belongs to the user of this process, each
 * folder on its path belongs to the user or to root, nobody else can write to them, and none is a
 * symbolic link. Others may write to a folder of root on the path if it has the sticky bit, such as
 * {@code /tmp}. The script of an executable makes the same checks.
 */
public final class CacheFolder {
  private static final int TYPE = 0170000;
  private static final int FOLDER = 0040000;
  private static final int LINK = 0120000;
  private static final int STICKY = 01000;
  private static final int WRITABLE_BY_OTHERS = 0022;

  private CacheFolder() {}

  /**
   * The result of a search.
   *
   * @param folder the folder; null if it cannot be used
   * @param refusal the reason why an existing folder is unsafe, as a sentence; null if the folder
   *     can be used or cannot be created
   */
  record Found(@Nullable Path folder, @Nullable String refusal) {}

  /**
   * Returns a subfolder that only the user can write to, and creates it if necessary.
   *
   * @return null if this is not possible
   */
  public static @Nullable Path find(String name) {
    return search(name).folder;
  }

  /**
   * Returns the reason why the cache is unsafe and therefore unused, as a sentence; null if it is
   * used or cannot be created.
   */
  public static @Nullable String refusal(String name) {
    return search(name).refusal;
  }

  private static Found search(String name) {
    String home = System.getProperty("user.home", "");
    return find(System.getenv(), System.getProperty("os.name", ""), home, name);
  }

  static Found find(Map<String, String> env, String system, String home, String name) {
    Path root = root(env, system.toLowerCase(Locale.ROOT), home);
    if (root == null) {
      return new Found(null, null);
    }
    Path folder = root.resolve(name).toAbsolutePath().normalize();
    try {
      String refusal = refusal(folder);
      return new Found(refusal == null ? folder : null, refusal);
    } catch (IOException | SecurityException e) {
      return new Found(null, null);
    } catch (UnsupportedOperationException e) {
      // The file system has no owners and permissions.
      return new Found(Files.isWritable(folder) ? folder : null, null);
    }
  }

  /**
   * Returns a safe folder's subfolder, and creates it if necessary.
   *
   * @throws IOException if the subfolder cannot be created or is unsafe
   */
  public static Path subfolder(Path folder, String name) throws IOException {
    Path sub = folder.resolve(name);
    String refusal = refusal(sub);
    if (refusal != null) {
      throw new IOException(refusal);
    }
    return sub;
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

  /**
   * Checks each folder of a path, from the root on, and creates the missing folders.
   *
   * @return the reason why the path is unsafe, as a sentence; null if it is safe
   */
  private static @Nullable String refusal(Path folder) throws IOException {
    int user = user();
    Path path = folder.getRoot();
    String wrong = path == null ? null : refusal(path, user, path.equals(folder));
    for (Path name : folder) {
      if (wrong != null || path == null) {
        return wrong;
      }
      path = path.resolve(name);
      boolean isLast = path.equals(folder);
      try {
        wrong = refusal(path, user, isLast);
      } catch (NoSuchFileException e) {
        create(path);
        wrong = refusal(path, user, isLast);
      }
    }
    return wrong;
  }

  private static @Nullable String refusal(Path path, int user, boolean isLast) throws IOException {
    Map<String, Object> attributes =
        Files.readAttributes(path, "unix:uid,mode", LinkOption.NOFOLLOW_LINKS);
    int owner = (Integer) Objects.requireNonNull(attributes.get("uid"));
    int mode = (Integer) Objects.requireNonNull(attributes.get("mode"));
    if ((mode & TYPE) == LINK) {
      return path + " is a symbolic link.";
    }
    if ((mode & TYPE) != FOLDER) {
      throw new IOException(path + " is not a folder");
    }
    if (owner != user && (isLast || owner != 0)) {
      return path + " belongs to another user.";
    }
    boolean isShared = !isLast && owner == 0 && (mode & STICKY) != 0;
    if ((mode & WRITABLE_BY_OTHERS) != 0 && !isShared) {
      return "Other users can write to " + path + ".";
    }
    return null;
  }

  /** Returns the number of the user of this process. */
  private static int user() throws IOException {
    Path process = Path.of("/proc/self");
    if (Files.isDirectory(process)) {
      return (Integer) Files.getAttribute(process, "unix:uid");
    }
    // Systems without /proc: the owner of a new file.
    Path file = Files.createTempFile("futharkc", ".tmp");
    try {
      return (Integer) Files.getAttribute(file, "unix:uid");
    } finally {
      Files.delete(file);
    }
  }

  private static void create(Path folder) throws IOException {
    try {
      Files.createDirectory(
          folder,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    } catch (FileAlreadyExistsException e) {
      // Another process has created the folder.
    }
  }
}
