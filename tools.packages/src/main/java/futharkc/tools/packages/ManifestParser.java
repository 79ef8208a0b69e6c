package futharkc.tools.packages;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A parser of files {@code futhark.pkg}. */
final class ManifestParser {
  private final String file;
  private final String text;
  private int at;

  private ManifestParser(String file, String text) {
    this.file = file;
    this.text = text;
  }

  /**
   * Parses a manifest.
   *
   * @param file the name of the file in messages
   * @throws PackageException if the text is no manifest; the message has the line and column
   */
  static Manifest parse(String file, String text) throws PackageException {
    return new ManifestParser(file, text.replace("\r\n", "\n")).manifest();
  }

  private Manifest manifest() throws PackageException {
    List<String> before = comments();
    PackagePath path = null;
    if (keyword("package")) {
      path = path();
    }
    List<String> middle = comments();
    List<Manifest.Line> lines = new ArrayList<>();
    if (keyword("require")) {
      requirements(lines);
    }
    List<String> after = comments();
    if (at < text.length()) {
      throw error(lines.isEmpty() ? "'package', 'require' or a comment" : "the end of the file");
    }
    return new Manifest(before, path, middle, lines, after);
  }

  private void requirements(List<Manifest.Line> lines) throws PackageException {
    space();
    expect('{');
    Set<PackagePath> seen = new HashSet<>();
    space();
    while (!accept('}')) {
      Optional<String> comment = comment();
      if (comment.isPresent()) {
        lines.add(new Manifest.Line.Comment(comment.get()));
      } else {
        int start = at;
        Requirement requirement = requirement();
        if (!seen.add(requirement.path())) {
          at = start;
          throw new PackageException(
              place() + ": the package " + requirement.path() + " is required twice.");
        }
        lines.add(new Manifest.Line.Required(requirement));
      }
      space();
    }
  }

  private Requirement requirement() throws PackageException {
    PackagePath path = path();
    blanks();
    int start = at;
    String word = word();
    Version version = Version.parse(word).orElse(null);
    if (version == null) {
      at = start;
      throw error("a version such as 1.2.3");
    }
    blanks();
    return new Requirement(path, version, accept('#') ? hash() : null);
  }

  private String hash() throws PackageException {
    int start = at;
    String hash = word();
    if (!hash.matches("[0-9A-Za-z]+")) {
      at = start;
      throw error("the hash of a commit");
    }
    return hash;
  }

  private PackagePath path() throws PackageException {
    space();
    int start = at;
    String word = word();
    Optional<PackagePath> path = PackagePath.parse(word);
    if (path.isEmpty()) {
      at = start;
      throw error("a package path such as github.com/user/name");
    }
    return path.get();
  }

  // Characters

  /** Returns the characters up to the next white space, bracket or hash sign. */
  private String word() {
    int start = at;
    while (at < text.length() && !isSpace(text.charAt(at)) && "{}#".indexOf(text.charAt(at)) < 0) {
      at++;
    }
    return text.substring(start, at);
  }

  private boolean keyword(String word) {
    space();
    int end = at + word.length();
    boolean there =
        text.startsWith(word, at)
            && (end == text.length() || isSpace(text.charAt(end)) || text.charAt(end) == '{');
    if (there) {
      at = end;
    }
    return there;
  }

  private List<String> comments() {
    List<String> comments = new ArrayList<>();
    space();
    for (Optional<String> c = comment(); c.isPresent(); c = comment()) {
      comments.add(c.get());
      space();
    }
    return comments;
  }

  private Optional<String> comment() {
    if (!text.startsWith("--", at)) {
      return Optional.empty();
    }
    int end = text.indexOf('\n', at);
    String comment = text.substring(at + 2, end < 0 ? text.length() : end);
    at = end < 0 ? text.length() : end;
    return Optional.of(comment);
  }

  private void space() {
    while (at < text.length() && isSpace(text.charAt(at))) {
      at++;
    }
  }

  private void blanks() {
    while (at < text.length() && (text.charAt(at) == ' ' || text.charAt(at) == '\t')) {
      at++;
    }
  }

  private static boolean isSpace(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
  }

  private boolean accept(char c) {
    if (at < text.length() && text.charAt(at) == c) {
      at++;
      return true;
    }
    return false;
  }

  private void expect(char c) throws PackageException {
    if (!accept(c)) {
      throw error("'" + c + "'");
    }
  }

  private PackageException error(String expected) {
    return new PackageException(place() + ": expected " + expected + ", found " + found() + ".");
  }

  private String found() {
    int start = at;
    String word = word();
    at = start;
    if (!word.isEmpty()) {
      return "'" + word + "'";
    }
    return at == text.length() ? "the end of the file" : "'" + text.charAt(at) + "'";
  }

  private String place() {
    String before = text.substring(0, at);
    long line = 1 + before.chars().filter(c -> c == '\n').count();
    int column = at - before.lastIndexOf('\n');
    return file + ":" + line + ":" + column;
  }
}
