package futharkc.core.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class CacheFolderTest {
  /** The number of another user; the user need not exist. */
  private static final int OTHER = 65_534;

  @TempDir private Path given;
  private Path folder = Path.of("");

  @BeforeEach
  void resolveLinks() throws IOException {
    folder = given.toRealPath();
  }

  private static CacheFolder.Found find(Path cache) {
    Map<String, String> env = Map.of("FUTHARKC_CACHE", cache.toString());
    return CacheFolder.find(env, "Linux", "/nonexistent", "kernels");
  }

  private static void permit(Path path, String permissions) throws IOException {
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(permissions));
  }

  @Test
  void newFoldersArePrivate() throws IOException {
    Path found = find(folder.resolve("new").resolve("own")).folder();
    assertEquals(folder.resolve("new").resolve("own").resolve("kernels"), found);
    for (Path path : List.of(found, found.getParent(), found.getParent().getParent())) {
      assertEquals("rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(path)));
    }
    assertEquals(new CacheFolder.Found(found, null), find(folder.resolve("new").resolve("own")));
  }

  @Test
  void foldersThatOthersCanWriteToAreRefused() throws IOException {
    Path above = Files.createDirectory(folder.resolve("above"));
    Path own = above.resolve("own");
    Path found = find(own).folder();
    for (Path path : List.of(found, own, above)) {
      for (String permissions : List.of("rwxrwxrwx", "rwx-w----", "rwx----w-")) {
        permit(path, permissions);
        assertEquals(
            new CacheFolder.Found(null, "Other users can write to " + path + "."), find(own));
      }
      permit(path, "rwxr-xr-x");
      assertEquals(found, find(own).folder());
    }
  }

  @Test
  void symbolicLinksAreRefused() throws IOException {
    Path real = Files.createDirectory(folder.resolve("real"));
    Path link = Files.createSymbolicLink(folder.resolve("link"), real);
    assertEquals(new CacheFolder.Found(null, link + " is a symbolic link."), find(link));
    assertEquals(link + " is a symbolic link.", find(link.resolve("sub")).refusal());
    assertFalse(Files.exists(real.resolve("sub")));
    Path kernels = Files.createSymbolicLink(real.resolve("kernels"), folder);
    assertEquals(kernels + " is a symbolic link.", find(real).refusal());
  }

  @Test
  void placesWithoutFoldersAreNotUsed() throws IOException {
    CacheFolder.Found none = new CacheFolder.Found(null, null);
    assertEquals(none, CacheFolder.find(Map.of(), "Linux", "/proc/none", "kernels"));
    assertEquals(none, CacheFolder.find(Map.of(), "Linux", "", "kernels"));
    assertEquals(none, find(Files.createFile(folder.resolve("file"))));
  }

  @Test
  void foldersOfOtherUsersAreRefused() throws IOException {
    Path above = Files.createDirectory(folder.resolve("above"));
    Path own = above.resolve("own");
    Path found = find(own).folder();
    assumeTrue(
        (Integer) Files.getAttribute(folder, "unix:uid") == 0,
        "needs the user root, who can make folders of two users");
    for (Path path : List.of(found, own, above)) {
      Files.setAttribute(path, "unix:uid", OTHER);
      assertEquals(new CacheFolder.Found(null, path + " belongs to another user."), find(own));
      Files.setAttribute(path, "unix:uid", 0);
      assertEquals(found, find(own).folder());
    }
    // In a folder with the sticky bit, others can create the cache first but not replace it.
    Files.setAttribute(above, "unix:mode", 01777);
    assertEquals(found, find(own).folder());
    assertNull(find(own).refusal());
    Files.setAttribute(above, "unix:uid", OTHER);
    assertEquals(above + " belongs to another user.", find(own).refusal());
  }
}
