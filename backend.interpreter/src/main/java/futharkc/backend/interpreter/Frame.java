package futharkc.backend.interpreter;

import org.jspecify.annotations.Nullable;

/**
 * The variables of one call: scalars, and the rest ({@link View}, {@link Block} or {@link
 * Accumulator}). A frame of code whose derivative is taken has room for what is known of each
 * scalar besides its value.
 */
final class Frame {
  final long[] scalars;
  final @Nullable Object[] objects;

  private static final Num.@Nullable Derived[] CONSTANT = {};

  private final Num.@Nullable Derived[] derived;

  Frame(int scalars, int objects, boolean active) {
    this.scalars = new long[scalars];
    this.derived = active ? new Num.Derived[scalars] : CONSTANT;
    this.objects = new Object[objects];
  }

  /** Whether scalars of this frame may have derivatives. */
  boolean active() {
    return derived.length > 0;
  }

  /** What is known of a scalar besides its value; null if that is constant. */
  Num.@Nullable Derived derived(int slot) {
    return derived.length == 0 ? null : derived[slot];
  }

  /** Sets a scalar of an active frame. */
  void number(int slot, long bits, Num.@Nullable Derived d) {
    scalars[slot] = bits;
    derived[slot] = d;
  }
}
