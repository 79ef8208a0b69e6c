package futharkc.core.ir.verify;

import futharkc.core.ir.Name;
import org.jspecify.annotations.Nullable;

/**
 * A class of arrays that may share elements. An expression with a fresh result or a parameter
 * creates a class. Consuming an array consumes its classes; no array with a consumed class may be
 * used afterwards.
 */
final class AliasClass {
  /** The first variable of the class. */
  final Name first;

  /** The number of repeated bodies that enclose the class's creation. */
  final int region;

  /** The reason why the class must not be consumed, or null. */
  final @Nullable String protection;

  /** True for the class of an accumulator. */
  final boolean accumulator;

  /**
   * The value of {@link VerifierScope#uses} at the last use inside a repeated body that does not
   * contain the class's creation; 0 if there was none.
   */
  int usedInside;

  /**
   * The consumer: the first name that the consuming statement binds, or the function. Null if the
   * class is not consumed.
   */
  @Nullable String consumer;

  AliasClass(Name first, int region, @Nullable String protection, boolean accumulator) {
    this.first = first;
    this.region = region;
    this.protection = protection;
    this.accumulator = accumulator;
  }
}
