package futharkc.core.driver.cli;

import futharkc.core.runtime.ArrayValue;
import futharkc.core.runtime.ElemType;
import futharkc.core.runtime.Scalar;
import futharkc.core.runtime.Value;
import futharkc.core.runtime.data.ValueReader;
import java.io.IOException;
import java.util.Arrays;

/** Compares printed results: exactly, but floats up to rounding. */
final class Results {
  /** Relative to the largest number of an array, as in public tests. */
  private static final double TOLERANCE = 0.002;

  private Results() {}

  /** Whether two texts hold the same values. */
  static boolean agree(String expected, String actual) {
    if (expected.equals(actual)) {
      return true;
    }
    try {
      ValueReader a = ValueReader.ofText(expected);
      ValueReader b = ValueReader.ofText(actual);
      while (!a.atEnd() && !b.atEnd()) {
        if (!agree(a.readAny(), b.readAny())) {
          return false;
        }
      }
      return a.atEnd() && b.atEnd();
    } catch (IOException e) {
      return false;
    }
  }

  private static boolean agree(Value a, Value b) {
    return switch (a) {
      case Scalar s -> b instanceof Scalar t && agree(s, t, Math.abs(number(s)));
      case ArrayValue x -> b instanceof ArrayValue y && agree(x, y);
      default -> false;
    };
  }

  private static boolean agree(ArrayValue a, ArrayValue b) {
    if (a.elemType() != b.elemType() || !Arrays.equals(a.shape(), b.shape())) {
      return false;
    }
    double largest = 0;
    if (a.elemType().isFloat()) {
      for (int i = 0; i < a.size(); i++) {
        double x = Math.abs(number(a.element(i)));
        largest = Double.isFinite(x) ? Math.max(largest, x) : largest;
      }
    }
    for (int i = 0; i < a.size(); i++) {
      if (!agree(a.element(i), b.element(i), largest)) {
        return false;
      }
    }
    return true;
  }

  private static boolean agree(Scalar a, Scalar b, double largest) {
    if (a.type() != b.type()) {
      return false;
    }
    if (a.equals(b) || !a.type().isFloat()) {
      return a.equals(b);
    }
    double x = number(a);
    double y = number(b);
    return Double.isNaN(x) && Double.isNaN(y)
        || x == y
        || Math.abs(x - y) <= Math.max(TOLERANCE, TOLERANCE * largest);
  }

  private static double number(Scalar s) {
    return s.type() == ElemType.F64
        ? s.asDouble()
        : s.type() == ElemType.F32
            ? s.asFloat()
            : s.type() == ElemType.F16 ? Float.float16ToFloat(s.asShort()) : s.asLong();
  }
}
