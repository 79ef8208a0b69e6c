package futharkc.tools.packages;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Minimal version selection: of the least versions that packages require, the greatest of each
 * package is chosen. See Cox, "Minimal Version Selection", 2018.
 */
final class VersionSelection {
  private record Choice(Revision revision, Version version, List<Requirement> requirements) {}

  private final Repositories repositories;
  private final Map<PackagePath, Choice> choices = new HashMap<>();

  private VersionSelection(Repositories repositories) {
    this.repositories = repositories;
  }

  /** A chosen version of a package. */
  record Selected(Version version, Revision revision) {}

  /**
   * Chooses the versions of all packages that a list of requirements reaches.
   *
   * @throws PackageException if a version does not exist, or its commit is not the pinned one
   */
  static SortedMap<PackagePath, Selected> of(
      List<Requirement> requirements, Repositories repositories)
      throws PackageException, IOException {
    VersionSelection selection = new VersionSelection(repositories);
    selection.visit(requirements);
    SortedMap<PackagePath, Selected> reached = new TreeMap<>();
    selection.reach(requirements, reached);
    return reached;
  }

  private void visit(List<Requirement> requirements) throws PackageException, IOException {
    List<Requirement> sorted =
        requirements.stream().sorted((a, b) -> a.path().compareTo(b.path())).toList();
    for (Requirement r : sorted) {
      Choice current = choices.get(r.path());
      if (current == null || r.version().compareTo(current.version) > 0) {
        Revision revision = repositories.revision(r);
        List<Requirement> next = revision.manifest().requirements();
        choices.put(r.path(), new Choice(revision, r.version(), next));
        visit(next);
      }
    }
  }

  /** Collects the packages that the chosen versions reach. Others were for smaller versions. */
  private void reach(List<Requirement> requirements, SortedMap<PackagePath, Selected> reached) {
    for (Requirement r : requirements) {
      Choice choice = choices.get(r.path());
      if (choice != null
          && reached.put(r.path(), new Selected(choice.version, choice.revision)) == null) {
        reach(choice.requirements, reached);
      }
    }
  }
}
