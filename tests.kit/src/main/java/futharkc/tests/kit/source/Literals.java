package futharkc.tests.kit.source;

import futharkc.tests.kit.source.SourceType.Prim;
import java.math.BigInteger;
import java.util.Random;

/** Random integer literals, many of them at the edges of their types. */
final class Literals {
  private static final BigInteger ONE = BigInteger.ONE;

  private Literals() {}

  /** Returns the number of bits of an integer type. */
  static int bits(Prim t) {
    return Integer.parseInt(t.text().substring(1));
  }

  /**
   * Returns a literal that is -1, near a power of two, near an end of the type or anything at all.
   */
  static String edge(Prim t, Random random) {
    int bits = bits(t);
    boolean signed = t.text().startsWith("i");
    BigInteger power = ONE.shiftLeft(random.nextInt(bits));
    BigInteger value =
        switch (random.nextInt(8)) {
          case 0 -> ONE.negate();
          case 1 -> power;
          case 2 -> power.subtract(ONE);
          case 3 -> power.negate();
          case 4 -> ONE.shiftLeft(bits - 1);
          case 5 -> ONE.shiftLeft(bits - 1).subtract(ONE);
          case 6 -> ONE.shiftLeft(bits - 1).add(ONE);
          default -> new BigInteger(bits, random);
        };
    return literal(t, wrapped(value, bits, signed));
  }

  /** Returns a literal other than zero. */
  static String divisor(Prim t, Random random) {
    if (random.nextInt(3) > 0) {
      return 1 + random.nextInt(7) + t.text();
    }
    String edge = edge(t, random);
    return edge.matches("0[a-z].*") ? "1" + t.text() : edge;
  }

  /** Returns a literal from 0 up to the number of bits less one. */
  static String shift(Prim t, Random random) {
    return (random.nextInt(3) > 0 ? random.nextInt(5) : random.nextInt(bits(t))) + t.text();
  }

  private static BigInteger wrapped(BigInteger value, int bits, boolean signed) {
    BigInteger modulus = ONE.shiftLeft(bits);
    BigInteger positive = value.mod(modulus);
    return signed && positive.testBit(bits - 1) ? positive.subtract(modulus) : positive;
  }

  private static String literal(Prim t, BigInteger value) {
    return value.signum() < 0 ? "(" + value + t.text() + ")" : value + t.text();
  }
}
