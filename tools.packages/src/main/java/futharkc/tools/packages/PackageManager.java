package futharkc.tools.packages;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The operations on the packages of a folder, which has a manifest {@code futhark.pkg} and a folder
 * {@code lib}. An operation that throws an exception has changed neither of them.
 */
public final class PackageManager {
  private static final int MOST_LISTED = 10;
  private static final String REMINDER = "Remember to run 'futharkc pkg sync'.";

  /**
   * The settings of operations.
   *
   * @param folder the folder with the manifest
   * @param cache the folder with the copies of repositories
   * @param out a receiver of messages for the user
   * @param log a receiver of the commands of git and its messages
   * @param environment variables for git besides those of this process
   */
  public record Settings(
      Path folder,
      Path cache,
      Consumer<String> out,
      Consumer<String> log,
      Map<String, String> environment) {
    public Settings {
      environment = Map.copyOf(environment);
    }
  }

  private final Settings settings;
  private final Path file;

  /** Creates the operations for a folder. */
  public PackageManager(Settings settings) {
    this.settings = settings;
    this.file = settings.folder().resolve(Manifest.FILE);
  }

  private void say(String message) {
    settings.out().accept(message);
  }

  private Repositories repositories(Network network) {
    Git git = new Git(settings.environment(), settings.log());
    return new Repositories(git, settings.cache(), network);
  }

  // The manifest

  private Manifest read() throws PackageException, IOException {
    if (Files.isDirectory(file)) {
      throw new PackageException(Manifest.FILE + " is a folder, not a file.");
    }
    if (!Files.exists(file)) {
      say(Manifest.FILE + " not found - pretending it's empty.");
      return Manifest.empty(null);
    }
    return ManifestParser.parse(Manifest.FILE, Files.readString(file));
  }

  /** Writes the manifest under another name first, so that a failure leaves the old one. */
  private void write(Manifest manifest) throws IOException {
    Path temporary = file.resolveSibling(Manifest.FILE + "~new");
    Files.writeString(temporary, manifest.text());
    try {
      Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
    } catch (AtomicMoveNotSupportedException e) {
      Files.move(temporary, file, StandardCopyOption.REPLACE_EXISTING);
    }
  }

  /**
   * Creates a manifest and the folder of a package.
   *
   * @throws PackageException if the path is not valid, or there is a manifest
   */
  public void init(String path) throws PackageException, IOException {
    PackagePath own = PackagePath.of(path);
    if (Files.exists(file)) {
      throw new PackageException(Manifest.FILE + " already exists.");
    }
    Files.createDirectories(new LibFolder(settings.folder(), own).of(own));
    say("Created directory lib/" + own + ".");
    write(Manifest.empty(own));
    say("Wrote " + Manifest.FILE + ".");
  }

  /** Writes the manifest again, in the usual layout. Comments stay. */
  public void format() throws PackageException, IOException {
    if (!Files.isRegularFile(file)) {
      throw new PackageException(Manifest.FILE + " does not exist.");
    }
    write(ManifestParser.parse(Manifest.FILE, Files.readString(file)));
  }

  /**
   * Adds a requirement, or changes the version of an existing one.
   *
   * @param version the least version, or null for the newest one
   */
  public void add(String path, @Nullable String version, Network network)
      throws PackageException, IOException {
    PackagePath added = PackagePath.of(path);
    Version given = null;
    if (version != null) {
      given =
          Version.parse(version)
              .orElseThrow(
                  () ->
                      new PackageException(
                          "'" + version + "' is not a version. An example is 1.2.3."));
    }
    boolean newest = given == null && network != Network.NEVER;
    Repositories repositories = repositories(newest ? Network.ALWAYS : network);
    Version least = given == null ? repositories.newest(added) : given;
    Manifest manifest = read();
    Revision revision = repositories.revision(new Requirement(added, least, null));
    Requirement required = new Requirement(added, least, pin(least, revision));
    Manifest changed = manifest.with(required);
    VersionSelection.of(changed.requirements(), repositories);
    Optional<Requirement> before = manifest.requirement(added);
    if (before.isEmpty()) {
      say("Added new required package " + added + " " + least + ".");
    } else if (before.get().version().equals(least)) {
      say("Package already at version " + least + "; nothing to do.");
    } else {
      say("Replaced " + added + " " + before.get().version() + " => " + least + ".");
    }
    write(changed);
    say(REMINDER);
  }

  /** Returns the hash to write for a version. The version of a commit has the commit itself. */
  private static @Nullable String pin(Version version, Revision revision) {
    return version.major() == 0 && version.minor() == 0 && version.patch() == 0
        ? null
        : revision.commit();
  }

  /** Removes a requirement. */
  public void remove(String path) throws PackageException, IOException {
    Manifest manifest = read();
    PackagePath removed = PackagePath.of(path);
    Optional<Requirement> before = manifest.requirement(removed);
    if (before.isEmpty()) {
      throw new PackageException("No package " + removed + " found in " + Manifest.FILE + ".");
    }
    write(manifest.without(removed));
    say("Removed " + removed + " " + before.get().version() + ".");
  }

  /** Requires the newest version of each package, within its major version. */
  public void upgrade(Network network) throws PackageException, IOException {
    Repositories repositories = repositories(network);
    Manifest manifest = read();
    Manifest changed = manifest;
    List<String> messages = new ArrayList<>();
    for (Requirement r : manifest.requirements()) {
      Version newest = repositories.newest(r.path());
      Revision revision = repositories.revision(new Requirement(r.path(), newest, null));
      if (!newest.equals(r.version())) {
        messages.add("Upgraded " + r.path() + " " + r.version() + " => " + newest + ".");
      }
      changed = changed.with(new Requirement(r.path(), newest, pin(newest, revision)));
    }
    write(changed);
    messages.forEach(this::say);
    say(changed.equals(manifest) ? "Nothing to upgrade." : REMINDER);
  }

  // Versions

  /** Prints the released versions of a package, the oldest first. */
  public void versions(String path, Network network) throws PackageException, IOException {
    PackagePath asked = PackagePath.of(path);
    repositories(network).of(asked).versions(asked).keySet().forEach(v -> say(v.toString()));
  }

  /**
   * Checks that all required versions exist, and that the folder of the own package has programs.
   */
  public void check(Network network) throws PackageException, IOException {
    Manifest manifest = read();
    var selected = VersionSelection.of(manifest.requirements(), repositories(network));
    say("Dependencies chosen:");
    selected.forEach((path, s) -> say(path + " => " + s.version()));
    PackagePath own = manifest.path();
    if (own != null) {
      Path folder = new LibFolder(settings.folder(), own).of(own);
      if (!Files.isDirectory(folder)) {
        throw new PackageException("Problem: the directory lib/" + own + " does not exist.");
      }
      try (Stream<Path> files = Files.walk(folder)) {
        if (files.noneMatch(f -> f.toString().endsWith(".fut"))) {
          throw new PackageException(
              "Problem: the directory lib/" + own + " does not contain any .fut files.");
        }
      } catch (UncheckedIOException e) {
        throw e.getCause();
      }
    }
  }

  // Installation

  /**
   * Fills the folder {@code lib} with the chosen versions of all packages, and deletes all else
   * there except the own package.
   *
   * @param dryRun true to print the changes only
   */
  public void sync(Network network, boolean dryRun) throws PackageException, IOException {
    Manifest manifest = read();
    var selected = VersionSelection.of(manifest.requirements(), repositories(network));
    PackagePath own = manifest.path();
    if (own != null) {
      // A package may require a package that requires the first one.
      selected.remove(own);
    }
    SortedMap<String, byte[]> files = LibFolder.files(selected);
    LibFolder lib = new LibFolder(settings.folder(), own);
    lib.check(files);
    List<String> unlisted = lib.unlisted(files);
    if (dryRun) {
      files.keySet().forEach(f -> say("Would write lib/" + f));
      unlisted.forEach(f -> say("Would delete lib/" + f));
      return;
    }
    lib.replace(files);
    unlisted.stream()
        .sorted(Comparator.naturalOrder())
        .limit(MOST_LISTED)
        .forEach(f -> say("Deleted lib/" + f));
    if (unlisted.size() > MOST_LISTED) {
      say("Deleted " + (unlisted.size() - MOST_LISTED) + " further files in lib/.");
    }
  }
}
