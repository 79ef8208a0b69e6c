package futharkc.core.ir.spi;

import java.util.List;

/**
 * An option of a pass.
 *
 * @param defaultValue the default value in text form
 * @param least the least allowed integer
 * @param most the greatest allowed integer
 * @param words the allowed texts; empty if every text is allowed
 */
public record Option(
    String name,
    Kind kind,
    String defaultValue,
    String description,
    long least,
    long most,
    List<String> words) {
  private static final long LARGEST = 999_999_999_999_999_999L;

  /** The type of an option's values. */
  public enum Kind {
    BOOLEAN,
    INTEGER,
    TEXT
  }

  public Option {
    words = List.copyOf(words);
  }

  /** Makes an option that accepts all values of its kind; integers have up to 18 digits. */
  public Option(String name, Kind kind, String defaultValue, String description) {
    this(name, kind, defaultValue, description, -LARGEST, LARGEST, List.of());
  }

  /** Returns this option restricted to an inclusive range of integers. */
  public Option within(long least, long most) {
    return new Option(name, kind, defaultValue, description, least, most, words);
  }

  /** Returns this option restricted to some texts. */
  public Option oneOf(String... words) {
    return new Option(name, kind, defaultValue, description, least, most, List.of(words));
  }

  /** Returns this option restricted to integers from {@code least}. */
  public Option from(long least) {
    return within(least, most);
  }

  /** Returns a description of the allowed values. */
  public String values() {
    return switch (kind) {
      case BOOLEAN -> "true or false";
      case TEXT -> words.isEmpty() ? "text" : "one of " + String.join(", ", words);
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
      case TEXT -> words.isEmpty() || words.contains(value);
      case INTEGER ->
          value.matches("[+-]?[0-9]{1,18}")
              && Long.parseLong(value) >= least
              && Long.parseLong(value) <= most;
    };
  }
}
