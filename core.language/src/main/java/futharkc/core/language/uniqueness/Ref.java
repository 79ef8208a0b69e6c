package futharkc.core.language.uniqueness;

/**
 * Something that an array may share memory with: an array in a variable, or one that a function returned. Compared by
 * identity.
 */
final class Ref {
  /** For messages: {@code "x"}, or {@code the result of applying "f"}. */
  final String label;

  /** How many functions and loops enclose the place where it came up; {@link #GLOBAL} outside of all. */
  final int level;

  /** Whether it may be consumed where it came up; functions and loops inside of that may not anyway. */
  final boolean consumable;

  /** The level of top-level values. */
  static final int GLOBAL = -1;

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

  boolean isGlobal() {
    return level == GLOBAL;
  }

  @Override
  public String toString() {
    return label;
  }
}
