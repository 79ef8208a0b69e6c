package futharkc.core.language.uniqueness;

/**
 * A reference to memory: an array in a variable, or an array that a function returned. References
 * are compared by identity.
 */
final class Ref {
  /** The text for messages: {@code "x"}, or {@code the result of applying "f"}. */
  final String label;

  /**
   * The number of functions and loops around the reference's origin; negative for top-level values.
   */
  final int level;

  /**
   * True if the reference may be consumed at its origin. Nested functions and loops may never
   * consume it.
   */
  final boolean consumable;

  /** The number of arrays that the reference stands for. */
  enum Arrays {
    /** One array. */
    ONE,
    /** An unknown number of arrays. */
    ANY,
    /** Several arrays that share memory. */
    SHARING
  }

  final Arrays arrays;

  /** The level of top-level values. */
  private static final int GLOBAL = -1;

  /** The level of top-level values that functions may return. */
  private static final int HIDDEN = -2;

  Ref(String label, int level, boolean consumable) {
    this(label, level, consumable, Arrays.ANY);
  }

  Ref(String label, int level, boolean consumable, Arrays arrays) {
    this.label = label;
    this.level = level;
    this.consumable = consumable;
    this.arrays = arrays;
  }

  static Ref variable(String name, int level, boolean consumable) {
    return new Ref('"' + name + '"', level, consumable, Arrays.ONE);
  }

  /** Returns a reference to all arrays of a variable. */
  static Ref whole(String name, int level, boolean consumable) {
    return new Ref('"' + name + '"', level, consumable);
  }

  static Ref global(String name) {
    return variable(name, GLOBAL, false);
  }

  /**
   * Returns a reference to a top-level value whose type is not known to contain arrays. It may not
   * be consumed, but a function may return it.
   */
  static Ref hidden(Ref global) {
    return new Ref(global.label, HIDDEN, false);
  }

  /** Tests whether this stands for several arrays that share memory. */
  boolean isSharing() {
    return arrays == Arrays.SHARING;
  }

  /** Tests whether this is a top-level value that functions may not return. */
  boolean isGlobal() {
    return level == GLOBAL;
  }

  /** Tests whether functions capture this reference. */
  boolean isLocal() {
    return level >= 0;
  }

  @Override
  public String toString() {
    return label;
  }
}
