package futharkc.core.runtime.data;

import futharkc.core.runtime.ArrayValue;
import futharkc.core.runtime.ElemType;
import futharkc.core.runtime.OpaqueValue;
import futharkc.core.runtime.Opaques;
import futharkc.core.runtime.Scalar;
import futharkc.core.runtime.Value;
import futharkc.core.runtime.ValueType;
import java.util.Arrays;

/**
 * The text of values of all types as Futhark expressions: numbers, arrays, tuples, records and
 * sums. A value of an abstract type is shown by the name of its type.
 */
public final class ValueDisplay {
  private final boolean suffixes;
  private final StringBuilder text = new StringBuilder();

  private ValueDisplay(boolean suffixes) {
    this.suffixes = suffixes;
  }

  /**
   * Returns the text of a value whose numbers have suffixes, such as {@code [1i32, 2i32]}. Each row
   * of an array of numbers is on a line of its own.
   */
  public static String withSuffixes(Value value) {
    ValueDisplay text = new ValueDisplay(true);
    text.value(value, false);
    return text.text.toString();
  }

  /**
   * Returns a text and after it the text of a value whose numbers have no suffixes, such as {@code
   * [1, 2]}. The rows of an array are below each other.
   */
  public static String plain(String before, Value value) {
    ValueDisplay text = new ValueDisplay(false);
    text.text.append(before);
    text.value(value, false);
    return text.text.toString();
  }

  /** Begins the next row of an array. */
  private void row(boolean last, int column) {
    text.append(last ? ", " : suffixes ? ",\n" : ",\n" + " ".repeat(column));
  }

  private int column() {
    return text.length() - text.lastIndexOf("\n") - 1;
  }

  private void value(Value value, boolean isArgument) {
    switch (value) {
      case Scalar s -> scalar(s);
      case ArrayValue a -> array(a.onHost(), 0, 0);
      case OpaqueValue o -> opaque(o, isArgument);
    }
  }

  private void opaque(OpaqueValue value, boolean isArgument) {
    switch (value.type().structure()) {
      case ValueType.Record r -> record(r, Opaques.unpack(value));
      case ValueType.Sum _ -> {
        Value[] payload = Opaques.destruct(value);
        boolean parens = isArgument && payload.length > 0;
        text.append(parens ? "(#" : "#").append(Opaques.variant(value).name());
        for (Value part : payload) {
          text.append(' ');
          value(part, true);
        }
        text.append(parens ? ")" : "");
      }
      case ValueType.ArrayOf(int rank, ValueType.Opaque _) -> {
        long[] shape = Opaques.shape(value.type(), value);
        if (Arrays.stream(shape).anyMatch(n -> n == 0)) {
          empty(shape, Opaques.elementType(value.type()).name());
        } else {
          elements(value, shape, new long[rank], 0);
        }
      }
      case ValueType.Abstract _ -> text.append('<').append(value.type().name()).append('>');
    }
  }

  private void record(ValueType.Record record, Value[] fields) {
    boolean tuple = record.isTuple();
    text.append(tuple ? '(' : '{');
    for (int i = 0; i < fields.length; i++) {
      text.append(i == 0 ? "" : ", ");
      if (!tuple) {
        text.append(record.fields()[i].name()).append(" = ");
      }
      value(fields[i], false);
    }
    text.append(tuple ? ')' : '}');
  }

  private void elements(OpaqueValue array, long[] shape, long[] index, int dim) {
    if (dim == shape.length) {
      value(Opaques.index(array.type(), array, index), false);
      return;
    }
    text.append('[');
    int column = column();
    for (long i = 0; i < shape[dim]; i++) {
      if (i > 0) {
        row(suffixes || dim + 1 == shape.length, column);
      }
      index[dim] = i;
      elements(array, shape, index, dim + 1);
    }
    text.append(']');
  }

  private void array(ArrayValue array, int dim, long from) {
    long[] shape = array.shape();
    if (dim == 0 && array.size() == 0) {
      empty(shape, array.elemType().text());
      return;
    }
    long step = 1;
    for (int d = dim + 1; d < shape.length; d++) {
      step *= shape[d];
    }
    text.append('[');
    int column = column();
    for (long i = 0; i < shape[dim]; i++) {
      if (i > 0) {
        row(dim + 1 == shape.length, column);
      }
      if (dim + 1 == shape.length) {
        scalar(array.element(from + i));
      } else {
        array(array, dim + 1, from + i * step);
      }
    }
    text.append(']');
  }

  private void empty(long[] shape, String element) {
    text.append("empty(");
    for (long n : shape) {
      text.append('[').append(n).append(']');
    }
    text.append(element).append(')');
  }

  private void scalar(Scalar s) {
    ElemType type = s.type();
    if (type == ElemType.UNIT) {
      text.append("()");
      return;
    }
    String digits =
        switch (type) {
          case BOOL -> s.bits() == 0 ? "false" : "true";
          case U8 -> Long.toString(s.bits() & 0xff);
          case U16 -> Long.toString(s.bits() & 0xffff);
          case U32 -> Long.toString(s.bits() & 0xffffffffL);
          case U64 -> Long.toUnsignedString(s.bits());
          case F16 -> Float.toString(Float.float16ToFloat(s.asShort()));
          case F32 -> Float.toString(s.asFloat());
          case F64 -> Double.toString(s.asDouble());
          case I8, I16, I32, I64 -> Long.toString(s.asLong());
          case UNIT -> throw new IllegalStateException("a unit has no digits");
        };
    if (type.isFloat() && !Character.isDigit(digits.charAt(digits.length() - 1))) {
      // NaN and infinities are names of the type's module.
      String sign = digits.startsWith("-") ? "-" : "";
      text.append(sign).append(type.text()).append(digits.equals("NaN") ? ".nan" : ".inf");
      return;
    }
    text.append(digits.replace('E', 'e'));
    text.append(suffixes && type != ElemType.BOOL ? type.text() : "");
  }
}
