package futharkc.core.ir.spi;

/**
 * An option of a pass.
 *
 * @param defaultValue as text in the form that the type takes
 */
public record Option(String name, Kind kind, String defaultValue, String description) {
  /** What values an option takes. */
  public enum Kind {
    BOOLEAN,
    INTEGER,
    TEXT
  }
}
