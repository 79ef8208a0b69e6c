package futharkc.core.codegen.java;

import org.jspecify.annotations.Nullable;

/**
 * What the division of an unsigned number of 32 bits by a constant is as a multiplication of 64
 * bits and a shift: {@code x / d = x * factor >>> shift} (T. Granlund and P. L. Montgomery,
 * Division by Invariant Integers using Multiplication, 1994, theorem 4.2).
 *
 * @param factor {@code 2^shift / d}, rounded up; less than 2^32, so that products have 64 bits
 */
record Reciprocal(long factor, int shift) {
  /**
   * The one with the smallest shift; null where there is none with so small a factor, as for 7.
   *
   * @param d from 1 to 2^32 - 1
   */
  static @Nullable Reciprocal of(long d) {
    for (int shift = 32; shift < 63; shift++) {
      long factor = ((1L << shift) + d - 1) / d;
      if (factor >= 1L << 32) return null;
      if (factor * d - (1L << shift) <= 1L << shift - 32) return new Reciprocal(factor, shift);
    }
    return null;
  }
}
