package futharkc.harness.testing;

import futharkc.core.runtime.ArrayValue;
import futharkc.core.runtime.ElemType;
import futharkc.core.runtime.Scalar;
import futharkc.core.runtime.Value;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A comparison of actual and expected results. Types, shapes, integers and booleans must be equal.
 * Floats may differ by 0.002, or by 0.002 times the largest expected number of the value if that is
 * larger. NaN equals NaN; infinities must be equal.
 */
public final class ResultComparison {
  private static final double TOLERANCE = 0.002;

  private final int most;
  private final List<String> found = new ArrayList<>();

  /** Creates a comparison that ends after a number of differences. */
  private ResultComparison(int most) {
    this.most = most;
  }

  /**
   * Compares a result with the expected result, component by component.
   *
   * @return a text about the first difference, or null if the results agree
   */
  public static @Nullable String difference(List<Value> actual, List<Value> expected) {
    List<String> differences = new ResultComparison(1).compare(actual, expected);
    return differences.isEmpty() ? null : differences.getFirst();
  }

  /** Compares values with expected values. Returns a text about each difference. */
  public static List<String> differences(List<Value> actual, List<Value> expected) {
    return new ResultComparison(Integer.MAX_VALUE).compare(actual, expected);
  }

  private List<String> compare(List<Value> actual, List<Value> expected) {
    if (actual.size() != expected.size()) {
      return List.of("expected " + expected.size() + " values, got " + actual.size());
    }
    for (int i = 0; i < expected.size() && found.size() < most; i++) {
      compare("value #" + i + ": ", actual.get(i), expected.get(i));
    }
    return found;
  }

  private void compare(String where, Value actual, Value expected) {
    String actualType = RandomValue.typeOf(actual).text();
    String expectedType = RandomValue.typeOf(expected).text();
    if (!actualType.equals(expectedType)) {
      found.add(
          where + "expected a value of type " + expectedType + ", got one of type " + actualType);
    } else if (expected instanceof ArrayValue e && actual instanceof ArrayValue a) {
      compare(where, a.onHost(), e.onHost());
    } else {
      Scalar e = (Scalar) expected;
      Scalar a = (Scalar) actual;
      if (differ(a, e, tolerance(number(e)))) {
        found.add(where + "expected " + ValueText.of(e) + ", got " + ValueText.of(a));
      }
    }
  }

  private void compare(String where, ArrayValue actual, ArrayValue expected) {
    int n = expected.length();
    double tolerance = 0;
    if (expected.elemType().isFloat()) {
      tolerance = TOLERANCE;
      for (int i = 0; i < n; i++) {
        tolerance = Math.max(tolerance, tolerance(number(expected.element(i))));
      }
    }
    for (int i = 0; i < n && found.size() < most; i++) {
      Scalar e = expected.element(i);
      Scalar a = actual.element(i);
      if (differ(a, e, tolerance)) {
        found.add(
            where
                + "index "
                + index(expected.shape(), i)
                + ": expected "
                + ValueText.of(e)
                + ", got "
                + ValueText.of(a));
      }
    }
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
