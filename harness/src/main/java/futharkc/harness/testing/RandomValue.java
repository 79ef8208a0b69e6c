package futharkc.harness.testing;

import futharkc.core.runtime.ArrayValue;
import futharkc.core.runtime.ElemType;
import futharkc.core.runtime.Scalar;
import futharkc.core.runtime.Value;
import futharkc.core.runtime.data.ValueReader;
import java.io.IOException;
import java.util.Arrays;

/** A description of a value: a random value of a type, or a fixed value. */
public sealed interface RandomValue {
  /** Returns the description as text, such as {@code [10][20]f32} or {@code 5i32}. */
  String text();

  /**
   * A random value of a type.
   *
   * @param shape the sizes, outermost first; empty for a scalar
   */
  record OfType(ElemType elemType, long... shape) implements RandomValue {
    @Override
    public String text() {
      StringBuilder text = new StringBuilder();
      for (long d : shape) {
        text.append('[').append(d).append(']');
      }
      return text.append(elemType.text()).toString();
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof OfType(ElemType e, long[] s)
          && e == elemType
          && Arrays.equals(s, shape);
    }

    @Override
    public int hashCode() {
      return 31 * elemType.hashCode() + Arrays.hashCode(shape);
    }
  }

  /** A fixed value. */
  record Fixed(Value value) implements RandomValue {
    @Override
    public String text() {
      return ValueText.of(value);
    }
  }

  /**
   * Parses a description: a type with sizes, or a scalar.
   *
   * @throws IllegalArgumentException if the text is neither; the message gives the reason
   */
  static RandomValue parse(String text) {
    String rest = text;
    long[] shape = {};
    while (rest.startsWith("[")) {
      int close = rest.indexOf(']');
      long size = close < 0 ? -1 : size(rest.substring(1, close));
      if (size < 0) {
        throw new IllegalArgumentException("'" + text + "' is not a type with constant sizes");
      }
      shape = Arrays.copyOf(shape, shape.length + 1);
      shape[shape.length - 1] = size;
      rest = rest.substring(close + 1);
    }
    ElemType type = ElemType.ofText(rest);
    if (type != null && type != ElemType.UNIT) {
      return new OfType(type, shape);
    }
    try {
      ValueReader reader = ValueReader.ofText(text);
      if (shape.length == 0 && reader.readAny() instanceof Scalar scalar && reader.atEnd()) {
        return new Fixed(scalar);
      }
    } catch (IOException e) {
      // The text is not a value either.
    }
    throw new IllegalArgumentException("'" + text + "' is neither a type nor a scalar");
  }

  private static long size(String digits) {
    try {
      return Long.parseLong(digits.strip().replace("_", ""));
    } catch (NumberFormatException e) {
      return -1;
    }
  }

  /** Returns the type of a value, with its sizes. */
  static OfType typeOf(Value value) {
    return switch (value) {
      case Scalar s -> new OfType(s.type());
      case ArrayValue a -> new OfType(a.elemType(), a.shape());
      default -> throw new IllegalArgumentException("an opaque value has no random type");
    };
  }
}
