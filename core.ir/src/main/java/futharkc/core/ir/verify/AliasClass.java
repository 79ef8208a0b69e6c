package futharkc.core.ir.verify;

import futharkc.core.ir.Name;
import org.jspecify.annotations.Nullable;

/**
 * What arrays that may share elements have in common: made by an expression with a fresh result, or
 * by a parameter. Consuming an array consumes its origins; nothing with one of these may be used
 * after that.
 */
final class AliasClass {
  /** The variable that was bound to it first. */
  final Name first;

  /** How many repeated bodies are around the place where it was made. */
  final int region;

  /** Why it may not be consumed; null if it may. */
  final @Nullable String protection;

  /** Whether it is that of an accumulator. */
  final boolean accumulator;

  /**
   * When it was last used in a body that may run many times and has it from outside, as {@link
   * Env#uses} counts; 0 if it never was.
   */
  int usedInside;

  /** The statement's first name, or the function, that consumed it. */
  @Nullable String consumer;

  AliasClass(Name first, int region, @Nullable String protection, boolean accumulator) {
    this.first = first;
    this.region = region;
    this.protection = protection;
    this.accumulator = accumulator;
  }
}
