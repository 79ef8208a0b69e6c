package futharkc.harness.testing;

import futharkc.core.runtime.ElemType;

/**
 * The random numbers of property tests: the generator SplitMix (Steele, Lea and Flood, "Fast
 * Splittable Pseudorandom Number Generators", OOPSLA 2014) with the seeding and the distributions
 * of Haskell's package {@code random}, so that a seed gives the same values as in the original.
 */
final class SplitMix {
  private static final long GOLDEN_GAMMA = 0x9e3779b97f4a7c15L;

  /** The least number of bit changes in a good increment. */
  private static final int MIN_CHANGES = 24;

  private static final long UINT_MASK = 0xffffffffL;

  private long state;
  private final long gamma;

  SplitMix(long seed) {
    state = mix(seed);
    gamma = increment(seed + GOLDEN_GAMMA);
  }

  private static long mix(long z) {
    long a = (z ^ z >>> 33) * 0xff51afd7ed558ccdL;
    long b = (a ^ a >>> 33) * 0xc4ceb9fe1a85ec53L;
    return b ^ b >>> 33;
  }

  private static long increment(long z) {
    long a = (z ^ z >>> 30) * 0xbf58476d1ce4e5b9L;
    long b = (a ^ a >>> 27) * 0x94d049bb133111ebL;
    long odd = (b ^ b >>> 31) | 1;
    return Long.bitCount(odd ^ odd >>> 1) >= MIN_CHANGES ? odd : odd ^ 0xaaaaaaaaaaaaaaaaL;
  }

  /** Returns the next 64 bits. */
  long next() {
    state += gamma;
    return mix(state);
  }

  private long next32() {
    return next() & UINT_MASK;
  }

  /**
   * Returns the bits of the next number of a type, sign-extended. Integers range over the whole
   * type, {@code f32} from -1 to 1, and other floats from 0 to 1.
   */
  long bits(ElemType type) {
    return switch (type) {
      case BOOL -> next() & 1;
      case I8 -> Byte.MIN_VALUE + (next() & 0xff);
      case I16 -> Short.MIN_VALUE + (next() & 0xffff);
      case I32 -> Integer.MIN_VALUE + next32();
      case I64 -> Long.MIN_VALUE + next();
      case U8 -> (byte) (next32() >>> 24);
      case U16 -> (short) (next32() >>> 16);
      case U32 -> (int) next32();
      case U64 -> next();
      case F16 -> Float.floatToFloat16(between(0, 1));
      case F32 -> Float.floatToRawIntBits(between(-1, 1));
      case F64 -> Double.doubleToRawLongBits(between());
      case UNIT -> 0;
    };
  }

  private float between(float low, float high) {
    float x = (float) next32() / (float) UINT_MASK;
    return x * low + (1 - x) * high;
  }

  private double between() {
    long bits = next();
    double unsigned = bits >= 0 ? bits : (double) (bits >>> 1 | bits & 1) * 2;
    return 1 - unsigned / 0x1p64;
  }
}
