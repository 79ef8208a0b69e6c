package futharkc.tools.packages;

import java.util.Arrays;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The path of a package, such as {@code github.com/user/name} or {@code github.com/user/name@2}.
 * The number after the at sign is the major version from 2 on. A path is also a relative folder
 * name that cannot leave its folder.
 */
record PackagePath(String text) implements Comparable<PackagePath> {
  private static final Pattern CHARACTERS = Pattern.compile("[\\p{L}\\p{N}@\\-/.:_~]+");
  private static final Pattern MAJOR = Pattern.compile("([^@]+)@(0|[1-9][0-9]{0,8})");

  /** Parses a path. The result is empty for other characters and for names that climb out. */
  static Optional<PackagePath> parse(String text) {
    boolean good = CHARACTERS.matcher(text).matches() && !text.startsWith("-");
    for (String part : text.split("/", -1)) {
      good &= !part.isEmpty() && !part.equals(".") && !part.equals("..");
      // Git and its tools take such a folder for a repository.
      good &= !part.equalsIgnoreCase(".git");
    }
    return good ? Optional.of(new PackagePath(text)) : Optional.empty();
  }

  /**
   * Parses a path that a user or a manifest gives.
   *
   * @throws PackageException if the path is not valid
   */
  static PackagePath of(String text) throws PackageException {
    return parse(text)
        .orElseThrow(
            () ->
                new PackageException(
                    "'"
                        + text
                        + "' is not a package path. An example is github.com/user/name."
                        + (Arrays.asList(text.split("/")).contains("..")
                            ? " A package path has no '..'."
                            : "")));
  }

  /** Returns the address of the repository. */
  String url() {
    Matcher m = MAJOR.matcher(text);
    return "https://" + (m.matches() ? m.group(1) : text);
  }

  /** Tests whether versions with a major number belong to this path. */
  boolean hasMajor(int major) {
    Matcher m = MAJOR.matcher(text);
    return m.matches() ? Integer.parseInt(m.group(2)) == major : major <= 1;
  }

  /** Returns the path to which versions with a major number belong. */
  String forMajor(int major) {
    Matcher m = MAJOR.matcher(text);
    String base = m.matches() ? m.group(1) : text;
    return major <= 1 ? base : base + "@" + major;
  }

  @Override
  public int compareTo(PackagePath other) {
    return text.compareTo(other.text);
  }

  @Override
  public String toString() {
    return text;
  }
}
