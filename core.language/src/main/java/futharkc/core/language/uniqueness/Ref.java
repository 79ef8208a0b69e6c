package futharkc.core.language.uniqueness;

/**
 * Something that an array may share memory with: an array in a variable, or one that a function
 * returned. Compared by identity.
 */
final class Ref {
  /** For messages: {@code "x"}, or {@code the result of applying "f"}. */
  final String label;

  /**
   * How many functions and loops enclose the place where it came up; negative for top-level values.
   */
  final int level;

  /**
   * Whether it may be consumed where it came up; functions and loops inside of that may not anyway.
   */
  final boolean consumable;

  /** The level of top-level values. */
  private static final int GLOBAL = -1;

  /** The level of top-level values that functions may return nevertheless. */
  private static final int HIDDEN = -2;

  Ref(String label, int level, boolean consumable) {
    this.label = label;
    this.level = level;
    this.consumable = consumable;
  }

  static Ref variable(String name, int level, boolean consumable) {
    return new Ref('"' + name + '"', level, consumable);
  }

  static Ref global(String name) {
    return variable(name, GLOBAL, false);
  }

  /**
   * A top-level value of a type that is not known to have arrays: it may not be consumed, but
   * returned.
   */
  static Ref hidden(Ref global) {
    return new Ref(global.label, HIDDEN, false);
  }

  /** Whether this is a top-level value that functions may not return. */
  boolean isGlobal() {
    return level == GLOBAL;
  }

  /** Whether functions capture this. */
  boolean isLocal() {
    return level >= 0;
  }

  @Override
  public String toString() {
    return label;
  }
}
