package futharkc.core.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.function.DoubleUnaryOperator;
import org.junit.jupiter.api.Test;

/**
 * A test of the float functions against those of doubles, over floats of every sign and exponent.
 */
class FastFloatTest {
  private interface FloatFunction {
    float apply(float a);
  }

  private static void compare(String name, FloatFunction f, DoubleUnaryOperator exact) {
    for (long bits = Integer.MIN_VALUE; bits <= Integer.MAX_VALUE; bits += 10_007) {
      check(name, f, exact, Float.intBitsToFloat((int) bits));
    }
    // Floats near the zeros of the function, where the range reduction cancels digits.
    for (int k = -40_000; k <= 40_000; k++) {
      float a = (float) (k * (Math.PI / 2));
      check(name, f, exact, a);
      check(name, f, exact, Math.nextUp(a));
    }
    for (float a :
        new float[] {
          0f,
          -0f,
          1f,
          Math.nextUp(1f),
          Math.nextDown(1f),
          Float.MIN_VALUE,
          Float.MAX_VALUE,
          Float.POSITIVE_INFINITY,
          Float.NEGATIVE_INFINITY,
          Float.NaN,
          88.72284f,
          -103.97f
        }) {
      check(name, f, exact, a);
    }
  }

  private static void check(String name, FloatFunction f, DoubleUnaryOperator exact, float a) {
    double e = exact.applyAsDouble(a);
    float nearest = (float) e;
    float r = f.apply(a);
    if (Float.isNaN(nearest) || Float.isInfinite(nearest) || nearest == 0) {
      assertEquals(nearest, r, name + " of " + a);
    } else {
      double ulps = Math.abs(r - e) / Math.ulp(nearest);
      assertTrue(ulps < 0.52, () -> name + " of " + a + ": " + ulps + " units off");
    }
  }

  @Test
  void sineAndCosine() {
    compare("sin", F32::sin, Math::sin);
    compare("cos", F32::cos, Math::cos);
  }

  private interface ArrayFunction {
    void apply(float[] to, float[] from, int count);
  }

  /** Arrays of functions have the bits of the scalar functions, also for arguments of any size. */
  @Test
  void arraysHaveTheBitsOfScalars() {
    for (float largest : new float[] {1e6f, Float.MAX_VALUE, Float.NaN}) {
      check(largest, F32::sin, F32::sin);
      check(largest, F32::cos, F32::cos);
    }
  }

  private static void check(float largest, FloatFunction f, ArrayFunction g) {
    float[] from = new float[200_000];
    from[0] = -0f;
    from[1] = largest;
    from[2] = Math.nextDown(1e6f);
    for (int i = 3; i < from.length; i++) {
      from[i] = Float.intBitsToFloat(i * 21_473);
      if (!(Math.abs(from[i]) < 1e6f)) {
        from[i] = i * 0.37f;
      }
    }
    float[] to = new float[from.length];
    g.apply(to, from, from.length);
    for (int i = 0; i < from.length; i++) {
      assertEquals(
          Float.floatToIntBits(f.apply(from[i])), Float.floatToIntBits(to[i]), "of " + from[i]);
    }
    float[] part = from.clone();
    g.apply(part, part, 3);
    assertEquals(Float.floatToIntBits(to[2]), Float.floatToIntBits(part[2]));
    assertEquals(from[3], part[3]);
  }

  @Test
  void exponentialAndLogarithm() {
    compare("exp", F32::exp, Math::exp);
    compare("log", F32::log, Math::log);
  }

  @Test
  void powers() {
    for (float b : new float[] {0.5f, 1.5f, 2f, -2.3f, 7f, 30f, -0.001f}) {
      compare("to the power " + b, a -> F32.pow(a, b), a -> Math.pow(a, b));
    }
  }
}
