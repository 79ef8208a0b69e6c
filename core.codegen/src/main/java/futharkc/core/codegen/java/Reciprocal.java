package futharkc.core.codegen.java;

import org.jspecify.annotations.Nullable;

/**
 * A division of an unsigned 32-bit number by a constant as a 64-bit multiplication and a shift:
 * {@code x / d = x * factor >>> shift} (T. Granlund and P. L. Montgomery, Division by Invariant
 * Integers using Multiplication, 1994, theorem 4.2).
 *
 * @param factor {@code 2^shift / d}, rounded up; less than 2^32, so that products fit in 64 bits
 * @param shift the number of bits by which the product is shifted
 */
record Reciprocal(long factor, int shift) {
  /**
   * Returns the reciprocal with the smallest shift; null if no factor is below 2^32, as for 7.
   *
   * @param d a divisor from 1 to 2^32 - 1
   */
  static @Nullable Reciprocal of(long d) {
    for (int shift = 32; shift < 63; shift++) {
      long factor = ((1L << shift) + d - 1) / d;
      if (factor >= 1L << 32) {
        return null;
      }
      if (factor * d - (1L << shift) <= 1L << shift - 32) {
        return new Reciprocal(factor, shift);
      }
    }
    return null;
  }
}
