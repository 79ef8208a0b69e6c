package futharkc.tools.packages;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;

/** The repositories of packages. */
final class Repositories {
  private final Git git;
  private final Path cache;
  private final Network network;
  private final Map<String, Repository> byUrl = new HashMap<>();

  Repositories(Git git, Path cache, Network network) {
    this.git = git;
    this.cache = cache;
    this.network = network;
  }

  Repository of(PackagePath path) {
    return byUrl.computeIfAbsent(path.url(), url -> new Repository(git, url, cache, network));
  }

  Revision revision(Requirement required) throws PackageException, IOException {
    return of(required.path()).revision(required.path(), required.version(), required.hash());
  }

  /** Returns the newest released version, or the newest commit if there is no release. */
  Version newest(PackagePath path) throws PackageException, IOException {
    SortedMap<Version, Revision> versions = of(path).versions(path);
    return versions.isEmpty() ? of(path).newestCommit() : versions.lastKey();
  }
}
