package futharkc.tools.packages;

import java.util.Map;
import java.util.TreeMap;

/**
 * A commit in a repository.
 *
 * @param commit the hash of the commit
 * @param label the package and the version, for messages
 */
record Revision(Repository repository, String commit, String label) {
  /**
   * Returns the manifest of the package.
   *
   * @throws PackageException if there is none, or it is not valid
   */
  Manifest manifest() throws PackageException {
    String name = Manifest.FILE + " of " + label;
    return ManifestParser.parse(name, repository.text(commit, Manifest.FILE, name));
  }

  /**
   * Returns the files of the package by name, relative to its folder in {@code lib}.
   *
   * @throws PackageException if the package names no folder, or has a file with an unsafe name
   */
  Map<String, byte[]> files() throws PackageException {
    PackagePath path = manifest().path();
    if (path == null) {
      throw new PackageException(Manifest.FILE + " of " + label + " does not name the package.");
    }
    String folder = "lib/" + path + "/";
    Map<String, byte[]> files = new TreeMap<>();
    for (Repository.TreeFile file : repository.tree(commit, folder)) {
      String name = file.name().substring(folder.length());
      if (file.isLink()) {
        throw new PackageException(label + " has a symbolic link: " + file.name() + ".");
      }
      if (!isSafe(name)) {
        throw new PackageException(label + " has a file with an unsafe name: " + file.name() + ".");
      }
      files.put(name, repository.blob(file.hash()));
    }
    if (files.isEmpty()) {
      throw new PackageException(label + " has no files in the folder " + folder + ".");
    }
    return files;
  }

  private static boolean isSafe(String name) {
    boolean safe = name.chars().noneMatch(c -> c == '\\' || c < ' ' || c == 0xFFFD);
    for (String part : name.split("/", -1)) {
      safe &= !part.isEmpty() && !part.equals(".") && !part.equals("..");
      safe &= !part.equalsIgnoreCase(".git");
    }
    return safe;
  }
}
