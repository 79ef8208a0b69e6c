package futharkc.harness.testing;

import futharkc.core.runtime.ArrayValue;
import futharkc.core.runtime.ElemType;
import futharkc.core.runtime.Scalar;
import futharkc.core.runtime.Value;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A comparison of actual and expected results. Types, shapes, integers and booleans must be equal.
 * Floats may differ by 0.002, or by 0.002 times the largest expected number of the value if that is
 * larger. NaN equals NaN; infinities must be equal.
 */
public final class ResultComparison {
  private static final double TOLERANCE = 0.002;

  private ResultComparison() {}

  /**
   * Compares a result with the expected result, component by component.
   *
   * @return a text about the first difference, or null if the results agree
   */
  public static @Nullable String difference(List<Value> actual, List<Value> expected) {
    if (actual.size() != expected.size()) {
      return "expected " + expected.size() + " values, got " + actual.size();
    }
    for (int i = 0; i < expected.size(); i++) {
      String difference = difference(actual.get(i), expected.get(i));
      if (difference != null) {
        return "value #" + i + ": " + difference;
      }
    }
    return null;
  }

  private static @Nullable String difference(Value actual, Value expected) {
    String actualType = RandomValue.typeOf(actual).text();
    String expectedType = RandomValue.typeOf(expected).text();
    if (!actualType.equals(expectedType)) {
      return "expected a value of type " + expectedType + ", got one of type " + actualType;
    }
    if (expected instanceof ArrayValue e && actual instanceof ArrayValue a) {
      return difference(a.onHost(), e.onHost());
    }
    Scalar e = (Scalar) expected;
    Scalar a = (Scalar) actual;
    return differ(a, e, tolerance(number(e)))
        ? "expected " + ValueText.of(e) + ", got " + ValueText.of(a)
        : null;
  }

  private static @Nullable String difference(ArrayValue actual, ArrayValue expected) {
    int n = expected.length();
    double tolerance = 0;
    if (expected.elemType().isFloat()) {
      tolerance = TOLERANCE;
      for (int i = 0; i < n; i++) {
        tolerance = Math.max(tolerance, tolerance(number(expected.element(i))));
      }
    }
    for (int i = 0; i < n; i++) {
      Scalar e = expected.element(i);
      Scalar a = actual.element(i);
      if (differ(a, e, tolerance)) {
        return "index "
            + index(expected.shape(), i)
            + ": expected "
            + ValueText.of(e)
            + ", got "
            + ValueText.of(a);
      }
    }
    return null;
  }

  private static double tolerance(double expected) {
    return Double.isFinite(expected) ? Math.max(TOLERANCE, TOLERANCE * expected) : TOLERANCE;
  }

  private static double number(Scalar s) {
    return switch (s.type()) {
      case F16 -> Float.float16ToFloat(s.asShort());
      case F32 -> s.asFloat();
      case F64 -> s.asDouble();
      default -> 0;
    };
  }

  private static boolean differ(Scalar actual, Scalar expected, double tolerance) {
    if (actual.bits() == expected.bits()) {
      return false;
    }
    ElemType type = expected.type();
    if (!type.isFloat()) {
      return true;
    }
    double a = number(actual);
    double e = number(expected);
    return !(Double.isNaN(a) && Double.isNaN(e)) && !(Math.abs(a - e) <= tolerance);
  }

  private static String index(long[] shape, int flat) {
    StringBuilder index = new StringBuilder("]");
    long rest = flat;
    for (int d = shape.length - 1; d >= 0; d--) {
      index.insert(0, rest % shape[d]).insert(0, d == 0 ? "[" : ", ");
      rest /= shape[d];
    }
    return index.toString();
  }
}
