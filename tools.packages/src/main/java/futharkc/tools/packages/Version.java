package futharkc.tools.packages;

import java.util.Comparator;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A version of a package: {@code X.Y.Z}, {@code X.Y.Z-N}, or either with {@code +BUILD}. A version
 * {@code 0.0.0-TIME+COMMIT} denotes a commit.
 *
 * @param pre the digits after the hyphen; such a version is before the version without them
 * @param build the letters and digits after the plus sign
 */
record Version(int major, int minor, int patch, @Nullable String pre, @Nullable String build)
    implements Comparable<Version> {
  private static final Pattern TEXT =
      Pattern.compile(
          "(0|[1-9][0-9]{0,8})\\.(0|[1-9][0-9]{0,8})\\.(0|[1-9][0-9]{0,8})(?:-([0-9]+))?(?:\\+([0-9A-Za-z]+))?");

  private static final Comparator<Version> ORDER =
      Comparator.comparingInt(Version::major)
          .thenComparingInt(Version::minor)
          .thenComparingInt(Version::patch)
          .thenComparing(v -> v.pre == null ? "~" : v.pre);

  /** Parses a version, or returns nothing. */
  static Optional<Version> parse(String text) {
    Matcher m = TEXT.matcher(text);
    if (!m.matches()) {
      return Optional.empty();
    }
    return Optional.of(
        new Version(
            Integer.parseInt(m.group(1)),
            Integer.parseInt(m.group(2)),
            Integer.parseInt(m.group(3)),
            m.group(4),
            m.group(5)));
  }

  /**
   * Returns the version of a commit.
   *
   * @param time the time of the commit, as {@code yyyymmddhhmmss} in universal time
   */
  static Version ofCommit(String time, String commit) {
    return new Version(0, 0, 0, time, commit);
  }

  /** Returns the commit that this version denotes, or null if it denotes a release. */
  @Nullable String commit() {
    return major == 0 && minor == 0 && patch == 0 && pre != null ? build : null;
  }

  /** Compares versions. The part after the plus sign does not count. */
  @Override
  public int compareTo(Version other) {
    return ORDER.compare(this, other);
  }

  @Override
  public String toString() {
    return major
        + "."
        + minor
        + "."
        + patch
        + (pre == null ? "" : "-" + pre)
        + (build == null ? "" : "+" + build);
  }
}
