package futharkc.tools.packages;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A copy of a repository in the cache. All its branches and tags are those of the original. */
final class Repository {
  private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyyMMddHHmmss");
  private static final String LINK_MODE = "120000";
  private static final String SUBMODULE_MODE = "160000";

  private final Git git;
  private final String url;
  private final Path folder;
  private final Network network;
  private boolean fetched;

  /**
   * Creates an interface to a copy, which need not exist yet.
   *
   * @param cache the folder of all copies
   */
  Repository(Git git, String url, Path cache, Network network) {
    this.git = git;
    this.url = url;
    this.network = network;
    StringBuilder name = new StringBuilder();
    url.substring("https://".length())
        .chars()
        .forEach(
            c -> {
              boolean plain = c < 128 && Character.isLetterOrDigit(c) || c == '.' || c == '-';
              name.append(plain ? Character.toString(c) : "%" + Integer.toHexString(c));
            });
    this.folder = cache.resolve(name + ".git");
  }

  /** Makes the copy, or fetches what is new, as far as the use of the network asks for it. */
  private void prepare() throws PackageException, IOException {
    boolean missing = !Files.isDirectory(folder);
    if (missing && network == Network.NEVER) {
      throw new PackageException(
          url + " is not in the cache. Without --offline, the repository is fetched.");
    }
    if (missing || network == Network.ALWAYS) {
      fetch();
    }
  }

  /** Fetches the repository, at most once. Returns false if this is not possible or was done. */
  private boolean fetch() throws PackageException, IOException {
    if (fetched || network == Network.NEVER) {
      return false;
    }
    fetched = true;
    Path parent = folder.getParent();
    if (parent != null) {
      Files.createDirectories(parent);
    }
    Path lock = folder.resolveSibling(folder.getFileName() + ".lock");
    try (FileChannel channel =
            FileChannel.open(lock, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock held = channel.lock()) {
      if (Files.isDirectory(folder)) {
        command(
            List.of("fetch", "--quiet", "--force", "--prune", "origin"), "could not be fetched");
      } else {
        copy();
      }
      return held.isValid();
    }
  }

  private void copy() throws PackageException, IOException {
    Path temporary = folder.resolveSibling(folder.getFileName() + ".new");
    LibFolder.delete(temporary);
    Git.Result result =
        git.run(
            List.of(
                "clone", "--quiet", "--mirror", "--template=", "--", url, temporary.toString()));
    if (!result.succeeded()) {
      LibFolder.delete(temporary);
      throw failure("could not be fetched", result);
    }
    Files.move(temporary, folder, StandardCopyOption.ATOMIC_MOVE);
  }

  private PackageException failure(String what, Git.Result result) {
    String reason = result.errors().isEmpty() ? "" : "\n" + result.errors();
    return new PackageException(url + " " + what + "." + reason);
  }

  private Git.Result run(List<String> arguments) throws PackageException {
    List<String> all = new ArrayList<>(List.of("--git-dir=" + folder));
    all.addAll(arguments);
    return git.run(all);
  }

  private Git.Result command(List<String> arguments, String failure) throws PackageException {
    Git.Result result = run(arguments);
    if (!result.succeeded()) {
      throw failure(failure, result);
    }
    return result;
  }

  // Versions

  /** Returns the released versions that belong to a path, with their commits. */
  SortedMap<Version, Revision> versions(PackagePath path) throws PackageException, IOException {
    prepare();
    return tags(path);
  }

  private SortedMap<Version, Revision> tags(PackagePath path) throws PackageException {
    String format = "--format=%(refname:strip=2) %(objectname) %(*objectname)";
    SortedMap<Version, Revision> versions = new TreeMap<>();
    for (String line :
        command(List.of("for-each-ref", format, "refs/tags"), "is damaged").lines()) {
      String[] words = line.strip().split(" ", -1);
      if (words[0].startsWith("v")) {
        // The commit of an annotated tag is the last word.
        String commit = words[words.length - 1];
        Version.parse(words[0].substring(1))
            .filter(v -> path.hasMajor(v.major()))
            .ifPresent(v -> versions.put(v, new Revision(this, commit, path + " " + v)));
      }
    }
    return versions;
  }

  /**
   * Returns the revision of a version.
   *
   * @param pinned the commit that the version must have, or null
   * @throws PackageException if there is no such version, or it is another commit
   */
  Revision revision(PackagePath path, Version version, @Nullable String pinned)
      throws PackageException, IOException {
    prepare();
    Revision found = find(path, version);
    if ((found == null || pinned != null && !pinned.equals(found.commit())) && fetch()) {
      found = find(path, version);
    }
    if (found == null) {
      throw unknown(path, version);
    }
    if (pinned != null && !pinned.equals(found.commit())) {
      throw new PackageException(
          "Package "
              + found.label()
              + " has commit hash "
              + found.commit()
              + ", but expected "
              + pinned
              + " from "
              + Manifest.FILE
              + ".");
    }
    return found;
  }

  private @Nullable Revision find(PackagePath path, Version version)
      throws PackageException, IOException {
    String commit = version.commit();
    if (commit == null) {
      return tags(path).get(version);
    }
    String known = resolve(commit);
    if (known == null && network != Network.NEVER) {
      fetch();
      known = resolve(commit);
      if (known == null && run(List.of("fetch", "--quiet", "origin", commit)).succeeded()) {
        known = resolve(commit);
      }
    }
    return known == null ? null : new Revision(this, known, path + " " + version);
  }

  private @Nullable String resolve(String commit) throws PackageException {
    Git.Result result = run(List.of("rev-parse", "--quiet", "--verify", commit + "^{commit}"));
    return result.succeeded() ? result.text().strip() : null;
  }

  private PackageException unknown(PackagePath path, Version version) throws PackageException {
    StringBuilder message = new StringBuilder("Package ");
    message.append(path).append(" does not have a version ").append(version).append(".");
    var known = tags(path).keySet();
    if (known.isEmpty()) {
      message.append("\nPackage ").append(path).append(" has no versions.");
    } else {
      message.append("\nKnown versions: ");
      message.append(String.join(", ", known.stream().map(Version::toString).toList()));
    }
    if (!path.hasMajor(version.major())) {
      message.append("\nFor major version ").append(version.major());
      message.append(", use package path ").append(path.forMajor(version.major()));
    }
    return new PackageException(message.toString());
  }

  /** Returns the version of the newest commit of the default branch. */
  Version newestCommit() throws PackageException, IOException {
    prepare();
    String head = null;
    if (network != Network.NEVER) {
      Git.Result remote = git.run(List.of("ls-remote", "--", url, "HEAD"));
      head = remote.succeeded() ? remote.text().split("\\s", 2)[0] : null;
    }
    String commit = head == null || head.isEmpty() ? resolve("HEAD") : resolve(head);
    if (commit == null) {
      throw new PackageException(url + " has no commits.");
    }
    String time =
        command(List.of("show", "-s", "--format=%cI", commit), "is damaged").text().strip();
    OffsetDateTime committed = OffsetDateTime.parse(time).withOffsetSameInstant(ZoneOffset.UTC);
    return Version.ofCommit(TIME.format(committed), commit);
  }

  // Files

  /** A file of a commit. */
  record TreeFile(String name, String hash, boolean isLink) {}

  /** Returns the files of a commit below a folder. Submodules are left out. */
  List<TreeFile> tree(String commit, String folder) throws PackageException {
    Git.Result result =
        command(List.of("ls-tree", "-r", "-z", "--full-tree", commit, "--", folder), "is damaged");
    List<TreeFile> files = new ArrayList<>();
    for (String line : Arrays.asList(result.text().split("\0"))) {
      int tab = line.indexOf('\t');
      if (tab > 0) {
        String[] words = line.substring(0, tab).split(" ", -1);
        String name = line.substring(tab + 1);
        if (!words[0].equals(SUBMODULE_MODE) && name.startsWith(folder)) {
          files.add(new TreeFile(name, words[2], words[0].equals(LINK_MODE)));
        }
      }
    }
    return files;
  }

  byte[] blob(String hash) throws PackageException {
    return command(List.of("cat-file", "blob", hash), "is damaged").output();
  }

  /**
   * Returns the text of a file of a commit.
   *
   * @param description the file in messages
   */
  String text(String commit, String file, String description) throws PackageException {
    Git.Result result = run(List.of("cat-file", "blob", commit + ":" + file));
    if (!result.succeeded()) {
      throw new PackageException(description + " does not exist.");
    }
    return result.text();
  }
}
