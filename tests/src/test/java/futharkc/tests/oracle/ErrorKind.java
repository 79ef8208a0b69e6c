package futharkc.tests.oracle;

import java.util.Locale;

/** The kind of check that a run-time error reports. */
enum ErrorKind {
  /** An index or a slice out of bounds. */
  INDEX,
  /** A division by zero. */
  DIVISION,
  /** A failed assertion of the program. */
  ASSERTION,
  /** A range that its bounds and step do not allow. */
  RANGE,
  /** A size that differs from another one, or is negative. */
  SIZE,
  /** Any other error. */
  OTHER;

  /** Returns the kind of an error, by its message. */
  static ErrorKind of(String message) {
    String text = message.toLowerCase(Locale.ROOT);
    if (text.contains("division by zero")) {
      return DIVISION;
    }
    if (text.contains("assert")) {
      return ASSERTION;
    }
    if (text.contains("out of bounds") || text.startsWith("slice") || text.contains("a slice of")) {
      return INDEX;
    }
    if (text.startsWith("range") || text.contains("invalid range")) {
      return RANGE;
    }
    return text.contains("size") || text.contains("shape") || text.contains("length")
        ? SIZE
        : OTHER;
  }
}
