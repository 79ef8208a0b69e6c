package futharkc.core.ir.spi;

/**
 * An option of a pass.
 *
 * @param defaultValue the default value in text form
 * @param least the least allowed integer
 * @param most the greatest allowed integer
 */
public record Option(
    String name, Kind kind, String defaultValue, String description, long least, long most) {
  private static final long LARGEST = 999_999_999_999_999_999L;

  /** The type of an option's values. */
  public enum Kind {
    BOOLEAN,
    INTEGER,
    TEXT
  }

  /** Makes an option that accepts all values of its kind; integers have up to 18 digits. */
  public Option(String name, Kind kind, String defaultValue, String description) {
    this(name, kind, defaultValue, description, -LARGEST, LARGEST);
  }

  /** Returns this option restricted to an inclusive range of integers. */
  public Option within(long least, long most) {
    return new Option(name, kind, defaultValue, description, least, most);
  }

  /** Returns this option restricted to integers from {@code least}. */
  public Option from(long least) {
    return within(least, most);
  }

  /** Returns a description of the allowed values. */
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

  /** Tests whether a text is an allowed value. */
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
