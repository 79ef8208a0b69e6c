package futharkc.core.ir.spi;

/**
 * An option of a pass.
 *
 * @param defaultValue as text in the form that the kind takes
 * @param least the least integer that it takes
 * @param most the greatest
 */
public record Option(
    String name, Kind kind, String defaultValue, String description, long least, long most) {
  private static final long LARGEST = 999_999_999_999_999_999L;

  /** What values an option takes. */
  public enum Kind {
    BOOLEAN,
    INTEGER,
    TEXT
  }

  /** An option that takes whatever is of its kind: integers of up to 18 digits. */
  public Option(String name, Kind kind, String defaultValue, String description) {
    this(name, kind, defaultValue, description, -LARGEST, LARGEST);
  }

  /** The same, which takes integers from one to another, both included. */
  public Option within(long least, long most) {
    return new Option(name, kind, defaultValue, description, least, most);
  }

  /** The same, which takes integers from one on. */
  public Option from(long least) {
    return within(least, most);
  }

  /** What it takes, in words. */
  public String values() {
    return switch (kind) {
      case BOOLEAN -> "true or false";
      case TEXT -> "text";
      case INTEGER ->
          "an integer"
              + (least == -LARGEST ? "" : " from " + least + (most == LARGEST ? " on" : ""))
              + (most == LARGEST ? "" : " to " + most);
    };
  }

  /** Whether a text is one of its values. */
  public boolean takes(String value) {
    return switch (kind) {
      case BOOLEAN -> value.equals("true") || value.equals("false");
      case TEXT -> true;
      case INTEGER ->
          value.matches("[+-]?[0-9]{1,18}")
              && Long.parseLong(value) >= least
              && Long.parseLong(value) <= most;
    };
  }
}
