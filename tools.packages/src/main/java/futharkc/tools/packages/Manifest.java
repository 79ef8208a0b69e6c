package futharkc.tools.packages;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The content of a file {@code futhark.pkg}. Comments are lines without their sign.
 *
 * @param before the comments before the path of the package
 * @param path the path of the package, or null
 * @param middle the comments before the requirements
 * @param lines the requirements and the comments among them
 * @param after the comments at the end
 */
record Manifest(
    List<String> before,
    @Nullable PackagePath path,
    List<String> middle,
    List<Line> lines,
    List<String> after) {
  /** The name of the file. */
  static final String FILE = "futhark.pkg";

  /** A line of the requirements. */
  sealed interface Line {
    /** A requirement. */
    record Required(Requirement requirement) implements Line {}

    /** A comment. */
    record Comment(String text) implements Line {}
  }

  Manifest {
    before = List.copyOf(before);
    middle = List.copyOf(middle);
    lines = List.copyOf(lines);
    after = List.copyOf(after);
  }

  /** Returns a manifest without requirements. */
  static Manifest empty(@Nullable PackagePath path) {
    return new Manifest(List.of(), path, List.of(), List.of(), List.of());
  }

  List<Requirement> requirements() {
    List<Requirement> found = new ArrayList<>();
    for (Line line : lines) {
      if (line instanceof Line.Required r) {
        found.add(r.requirement());
      }
    }
    return found;
  }

  Optional<Requirement> requirement(PackagePath required) {
    return requirements().stream().filter(r -> r.path().equals(required)).findFirst();
  }

  /** Returns this manifest with other lines. */
  private Manifest withLines(List<Line> lines) {
    return new Manifest(before, path, middle, lines, after);
  }

  /** Returns this manifest with a requirement, in place of the one for the same package. */
  Manifest with(Requirement added) {
    if (requirement(added.path()).isPresent()) {
      return map(r -> r.path().equals(added.path()) ? added : r);
    }
    List<Line> more = new ArrayList<>(lines);
    more.add(new Line.Required(added));
    return withLines(more);
  }

  /** Returns this manifest with each requirement replaced. */
  Manifest map(UnaryOperator<Requirement> change) {
    List<Line> changed = new ArrayList<>();
    for (Line line : lines) {
      changed.add(
          switch (line) {
            case Line.Required r -> new Line.Required(change.apply(r.requirement()));
            case Line.Comment c -> c;
          });
    }
    return withLines(changed);
  }

  /** Returns this manifest without the requirement for a package. */
  Manifest without(PackagePath removed) {
    List<Line> rest = new ArrayList<>(lines);
    rest.removeIf(l -> l instanceof Line.Required r && r.requirement().path().equals(removed));
    return withLines(rest);
  }

  /** Returns the text of the file. */
  String text() {
    StringBuilder out = new StringBuilder();
    before.forEach(c -> out.append("--").append(c).append('\n'));
    if (path != null) {
      out.append("package ").append(path).append("\n\n");
    }
    middle.forEach(c -> out.append("--").append(c).append('\n'));
    out.append("require {\n");
    for (Line line : lines) {
      out.append("  ");
      switch (line) {
        case Line.Required r -> out.append(r.requirement());
        case Line.Comment c -> out.append("--").append(c.text());
      }
      out.append('\n');
    }
    out.append("}\n");
    after.forEach(c -> out.append("--").append(c).append('\n'));
    return out.toString();
  }
}
