package futharkc.tools.packages;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The folder {@code lib} of a program. An installation builds {@code lib~new} and exchanges the
 * folders by renaming, so that a failure leaves {@code lib} as it was.
 */
final class LibFolder {
  private static final String NAME = "lib";

  private final Path lib;
  private final Path fresh;
  private final Path old;
  private final @Nullable PackagePath own;

  /**
   * Creates an interface to the folder.
   *
   * @param folder the folder with the manifest
   * @param own the package of the folder itself, whose files stay; null if there is none
   */
  LibFolder(Path folder, @Nullable PackagePath own) {
    this.lib = folder.resolve(NAME);
    this.fresh = folder.resolve(NAME + "~new");
    this.old = folder.resolve(NAME + "~old");
    this.own = own;
  }

  /** Returns the folder of a package. */
  Path of(PackagePath path) {
    return lib.resolve(path.text());
  }

  /**
   * Returns the files in {@code lib} that are neither part of the own package nor of an
   * installation, sorted.
   *
   * @param files the files of the installation, relative to {@code lib}
   */
  List<String> unlisted(SortedMap<String, byte[]> files) throws IOException {
    List<String> unlisted = new ArrayList<>();
    if (!Files.isDirectory(lib, LinkOption.NOFOLLOW_LINKS)) {
      return unlisted;
    }
    try (Stream<Path> found = Files.walk(lib)) {
      found
          .filter(p -> !Files.isDirectory(p, LinkOption.NOFOLLOW_LINKS))
          .map(p -> lib.relativize(p).toString().replace('\\', '/'))
          .filter(p -> !files.containsKey(p) && (own == null || !p.startsWith(own + "/")))
          .sorted()
          .forEach(unlisted::add);
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    return unlisted;
  }

  /**
   * Checks that an installation can be written.
   *
   * @throws PackageException if {@code lib} is no folder, or packages overlap
   */
  void check(SortedMap<String, byte[]> files) throws PackageException {
    boolean exists = Files.exists(lib, LinkOption.NOFOLLOW_LINKS);
    if (exists && !Files.isDirectory(lib, LinkOption.NOFOLLOW_LINKS)) {
      throw new PackageException(lib + " is not a folder. Packages are written to a folder only.");
    }
    for (String file : files.keySet()) {
      if (own != null && (file.startsWith(own + "/") || own.text().startsWith(file + "/"))) {
        throw new PackageException(
            "A required package has the file lib/" + file + " in the folder of this package.");
      }
      for (int i = file.indexOf('/'); i > 0; i = file.indexOf('/', i + 1)) {
        if (files.containsKey(file.substring(0, i))) {
          throw new PackageException(
              "lib/" + file.substring(0, i) + " is a file of one package and a folder of another.");
        }
      }
    }
  }

  /**
   * Replaces all files except those of the own package.
   *
   * @param files the contents of the files by name, relative to {@code lib}
   * @throws IOException if this fails; {@code lib} is then as before
   */
  void replace(SortedMap<String, byte[]> files) throws IOException {
    boolean isFolder = Files.isDirectory(lib);
    if (!isFolder && Files.isDirectory(old, LinkOption.NOFOLLOW_LINKS)) {
      // An earlier exchange was interrupted.
      Files.move(old, lib);
      isFolder = true;
    }
    delete(fresh);
    try {
      Files.createDirectory(fresh);
      for (var file : files.entrySet()) {
        Path target = fresh.resolve(file.getKey());
        Files.createDirectories(target.getParent());
        Files.write(target, file.getValue());
      }
      if (isFolder) {
        delete(old);
        Files.move(lib, old);
      }
      try {
        Files.move(fresh, lib);
        keepOwn();
      } catch (IOException | RuntimeException e) {
        if (isFolder) {
          delete(lib);
          Files.move(old, lib);
        }
        throw e;
      }
    } finally {
      delete(fresh);
    }
    delete(old);
  }

  /** Moves the own package to the new folder. */
  private void keepOwn() throws IOException {
    Path from = own == null ? null : old.resolve(own.text());
    if (own != null && from != null && Files.isDirectory(from)) {
      Path to = of(own);
      Files.createDirectories(to.getParent());
      Files.move(from, to);
    }
  }

  /** Deletes a file or folder with all that is below, if it exists. Links are not followed. */
  static void delete(Path path) throws IOException {
    if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    List<Path> all = new ArrayList<>();
    try (Stream<Path> found = Files.walk(path)) {
      found.sorted(Comparator.reverseOrder()).forEach(all::add);
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    for (Path p : all) {
      Files.delete(p);
    }
  }

  /** Returns the files of packages by name, relative to {@code lib}. */
  static SortedMap<String, byte[]> files(SortedMap<PackagePath, VersionSelection.Selected> selected)
      throws PackageException {
    SortedMap<String, byte[]> files = new TreeMap<>();
    for (var entry : selected.entrySet()) {
      for (var file : entry.getValue().revision().files().entrySet()) {
        files.put(entry.getKey() + "/" + file.getKey(), file.getValue());
      }
    }
    return files;
  }
}
