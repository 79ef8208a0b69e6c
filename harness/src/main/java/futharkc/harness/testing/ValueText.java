package futharkc.harness.testing;

import futharkc.core.runtime.ArrayValue;
import futharkc.core.runtime.ElemType;
import futharkc.core.runtime.Scalar;
import futharkc.core.runtime.Value;
import futharkc.core.runtime.data.ValueWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The text forms of values and the names of data sets derived from values. */
final class ValueText {
  private static final int MAX_NAME = 50;

  private ValueText() {}

  /** Returns the text form of a value. */
  static String of(Value value) {
    if (value instanceof Scalar s && s.type().isFloat()) {
      return floating(s);
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try {
      ValueWriter writer = new ValueWriter(out);
      writer.text(value);
      writer.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toString(StandardCharsets.UTF_8);
  }

  /** Returns the name of a data set without a given name: its number and its abbreviated values. */
  static String dataSetName(int number, List<Value> values) {
    StringBuilder text = new StringBuilder();
    for (Value value : values) {
      if (text.length() > MAX_NAME) {
        break;
      }
      text.append(text.isEmpty() ? "" : " ");
      if (value instanceof ArrayValue a && a.size() > 0) {
        beginning(a, text);
      } else {
        text.append(of(value));
      }
    }
    String shown = text.length() > MAX_NAME ? text.substring(0, MAX_NAME) + "..." : text.toString();
    return "#" + number + " (\"" + shown + "\")";
  }

  /** Appends a prefix of an array that is at least as long as the longest name. */
  private static void beginning(ArrayValue array, StringBuilder text) {
    long n = array.size();
    int rank = array.rank();
    for (long i = 0; i < n && text.length() <= MAX_NAME; i++) {
      text.append(i > 0 ? ", " : "");
      long row = 1;
      int opened = 0;
      for (int d = rank - 1; d >= 0; d--) {
        row *= array.shape()[d];
        opened += i % row == 0 ? 1 : 0;
      }
      text.append("[".repeat(opened)).append(of(array.element(i)));
      row = 1;
      int closed = 0;
      for (int d = rank - 1; d >= 0; d--) {
        row *= array.shape()[d];
        closed += (i + 1) % row == 0 ? 1 : 0;
      }
      text.append("]".repeat(closed));
    }
  }

  /**
   * Returns the text form of a float in names of data sets. Numbers below 0.1 have scientific
   * notation there, which Java uses only below 0.001.
   */
  private static String floating(Scalar s) {
    double x =
        switch (s.type()) {
          case F16 -> Float.float16ToFloat(s.asShort());
          case F32 -> s.asFloat();
          default -> s.asDouble();
        };
    double size = Math.abs(x);
    String digits = s.type() == ElemType.F64 ? Double.toString(x) : Float.toString((float) x);
    if (Double.isNaN(x) || Double.isInfinite(x)) {
      return (x < 0 ? "-" : "") + s.type().text() + (Double.isNaN(x) ? ".nan" : ".inf");
    } else if (size >= 0.001 && size < 0.1) {
      BigDecimal decimal = new BigDecimal(digits).stripTrailingZeros();
      String unscaled = decimal.unscaledValue().abs().toString();
      int exponent = unscaled.length() - 1 - decimal.scale();
      String fraction = unscaled.length() == 1 ? "0" : unscaled.substring(1);
      digits = (x < 0 ? "-" : "") + unscaled.charAt(0) + "." + fraction + "e" + exponent;
    }
    return digits.replace('E', 'e') + s.type().text();
  }
}
