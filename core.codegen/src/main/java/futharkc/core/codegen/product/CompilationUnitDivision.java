package futharkc.core.codegen.product;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A division of a compilation unit into units that can be compiled concurrently and together make
 * its classes. Each unit declares all classes; methods of classes that another unit makes have no
 * body:
 *
 * <pre>
 * final class A {                    final class A {                 final class A {
 *   static int f(int x) {..}           static int f(int x) {..}        native static int f(int x);
 * }                             =>   }                        and    }
 * final class B {                    final class B {                 final class B {
 *   static int g() {..}                native static int g();          static int g() {..}
 * }                                  }                               }
 * </pre>
 *
 * <p>The division is sound for generated classes, whose users see only methods, fields and nested
 * classes. A unit with any other member is not divided.
 */
final class CompilationUnitDivision {
  /**
   * One of the units.
   *
   * @param source a compilation unit
   * @param classes the names of the top-level classes that the unit makes
   */
  record Part(String source, Set<String> classes) {
    /** Tests whether this unit makes a class, which may be nested. */
    boolean makes(String className) {
      String simple = className.substring(className.lastIndexOf('.') + 1);
      int nested = simple.indexOf('$');
      return classes.contains(nested < 0 ? simple : simple.substring(0, nested));
    }
  }

  private static final Pattern CLASS = Pattern.compile("(?:public )?final class (\\w+)[^(=;]*");

  private static final Pattern HEADER = Pattern.compile("(?:(?:package|import) [^;]*;\\s*)*");

  private final String unit;
  private final List<String> names = new ArrayList<>();
  private final List<String> whole = new ArrayList<>();
  private final List<String> signatures = new ArrayList<>();
  private String header = "";

  private CompilationUnitDivision(String unit) {
    this.unit = unit;
  }

  /**
   * Divides a unit into two of about the same length; returns the unit alone if it cannot be
   * divided.
   */
  static List<Part> inTwo(String unit) {
    CompilationUnitDivision d = new CompilationUnitDivision(unit);
    if (unit.contains("\"\"\"") || !d.read() || d.names.size() < 2) {
      return List.of(new Part(unit, Set.copyOf(d.names)));
    }
    long half = d.whole.stream().mapToLong(String::length).sum() / 2;
    int first = 0;
    for (long size = 0; first < d.names.size() - 1 && size < half; first++) {
      size += d.whole.get(first).length();
    }
    return List.of(d.part(0, first), d.part(first, d.names.size()));
  }

  private Part part(int from, int to) {
    StringBuilder source = new StringBuilder(header);
    for (int i = 0; i < names.size(); i++) {
      source.append(i >= from && i < to ? whole.get(i) : signatures.get(i));
    }
    return new Part(source.toString(), new TreeSet<>(names.subList(from, to)));
  }

  /**
   * Reads the classes.
   *
   * @return false if the unit contains anything else
   */
  private boolean read() {
    Matcher before = HEADER.matcher(unit);
    int at = before.lookingAt() ? before.end() : 0;
    header = unit.substring(0, at);
    int end = unit.stripTrailing().length();
    while (at < end) {
      int open = next(at, '{');
      if (open < 0) {
        return false;
      }
      Matcher m = CLASS.matcher(unit.substring(at, open).strip());
      if (!m.matches()) {
        return false;
      }
      StringBuilder shown = new StringBuilder(unit.substring(at, open + 1));
      int close = members(open + 1, m.group(1), shown);
      if (close < 0) {
        return false;
      }
      names.add(m.group(1));
      whole.add(unit.substring(at, close));
      signatures.add(shown.toString());
      at = close;
    }
    return true;
  }

  /**
   * Reads the members of a class.
   *
   * @return the position after the class
   */
  private int members(int from, String name, StringBuilder shown) {
    int at = from;
    while (true) {
      int end = next(at, '{', ';', '}');
      if (end < 0) {
        return -1;
      }
      if (unit.charAt(end) == '}') {
        shown.append(unit, at, end + 1);
        return end + 1;
      }
      if (unit.charAt(end) == ';') {
        shown.append(unit, at, end + 1);
        at = end + 1;
        continue;
      }
      int close = closing(end);
      if (close < 0) {
        return -1;
      }
      String head = unit.substring(at, end);
      boolean method = head.contains("(") && !head.contains("=") && !head.contains(" class ");
      if (method && !head.strip().startsWith(name + "(")) {
        shown.append("\nnative ").append(head.strip()).append(';');
      } else {
        shown.append(unit, at, close);
      }
      at = close;
    }
  }

  /**
   * Returns the position after the brace that closes the one at a position; -1 if there is none.
   */
  private int closing(int open) {
    int depth = 0;
    for (int at = open; at >= 0; ) {
      depth += unit.charAt(at) == '{' ? 1 : -1;
      if (depth == 0) {
        return at + 1;
      }
      at = next(at + 1, '{', '}');
    }
    return -1;
  }

  /**
   * Returns the position of the first of some characters outside of literals and comments; -1 if
   * there is none.
   */
  private int next(int from, char... wanted) {
    for (int i = from; i < unit.length(); i++) {
      char c = unit.charAt(i);
      if (c == '"' || c == '\'') {
        i = literal(i);
      } else if (c == '/' && unit.startsWith("//", i)) {
        i = unit.indexOf('\n', i);
        if (i < 0) {
          return -1;
        }
      } else if (c == '/' && unit.startsWith("/*", i)) {
        i = unit.indexOf("*/", i) + 1;
        if (i <= 0) {
          return -1;
        }
      } else {
        for (char w : wanted) {
          if (c == w) {
            return i;
          }
        }
      }
    }
    return -1;
  }

  /** Returns the position of the last character of the literal that begins at a position. */
  private int literal(int from) {
    char quote = unit.charAt(from);
    int i = from + 1;
    while (i < unit.length() && unit.charAt(i) != quote) {
      i += unit.charAt(i) == '\\' ? 2 : 1;
    }
    return i;
  }
}
