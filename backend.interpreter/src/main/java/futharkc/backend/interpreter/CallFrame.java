package futharkc.backend.interpreter;

import org.jspecify.annotations.Nullable;

/**
 * The variables of one call: scalars, and {@link ArrayView}, {@link Block} or {@link Accumulator}
 * objects. The frame of code whose derivative is taken also holds the derivatives of scalars.
 */
final class CallFrame {
  final long[] scalars;
  final @Nullable Object[] objects;

  private static final Num.@Nullable Derived[] CONSTANT = {};

  private final Num.@Nullable Derived[] derived;

  CallFrame(int scalars, int objects, boolean active) {
    this.scalars = new long[scalars];
    this.derived = active ? new Num.Derived[scalars] : CONSTANT;
    this.objects = new Object[objects];
  }

  /** Tests whether scalars of this frame may have derivatives. */
  boolean active() {
    return derived.length > 0;
  }

  /** Returns the derivatives of a scalar; null if the scalar is constant. */
  Num.@Nullable Derived derived(int slot) {
    return derived.length == 0 ? null : derived[slot];
  }

  /** Sets a scalar and its derivatives in a frame with derivatives. */
  void number(int slot, long bits, Num.@Nullable Derived d) {
    scalars[slot] = bits;
    derived[slot] = d;
  }
}
