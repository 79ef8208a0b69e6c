package futharkc.backend.interpreter;

import org.jspecify.annotations.Nullable;

/**
 * The variables of one call: scalars, and the rest ({@link View}, {@link Block} or {@link
 * Accumulator}).
 */
final class Frame {
  final long[] scalars;
  final @Nullable Object[] objects;

  Frame(int scalars, int objects) {
    this.scalars = new long[scalars];
    this.objects = new Object[objects];
  }
}
