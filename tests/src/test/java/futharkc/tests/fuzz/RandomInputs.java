package futharkc.tests.fuzz;

import futharkc.core.runtime.ArrayValue;
import futharkc.core.runtime.ElemType;
import futharkc.core.runtime.Scalar;
import futharkc.core.runtime.Value;
import futharkc.tests.kit.source.RandomProgram;
import futharkc.tests.kit.source.SourceType;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Random arguments of a random program's {@code main}. */
final class RandomInputs {
  private RandomInputs() {}

  static List<Value> of(long n, long m, Random random) {
    List<Value> out = new ArrayList<>();
    out.add(Scalar.i64(n));
    out.add(Scalar.i64(m));
    for (RandomProgram.Param p : RandomProgram.PARAMS.subList(2, RandomProgram.PARAMS.size())) {
      out.add(value(p.type(), n, m, random));
    }
    return out;
  }

  private static Value value(SourceType type, long n, long m, Random random) {
    List<Long> shape = new ArrayList<>();
    SourceType element = type;
    while (element instanceof SourceType.Array a) {
      shape.add(a.size().equals("n") ? n : m);
      element = a.element();
    }
    int count = Math.toIntExact(shape.stream().reduce(1L, (a, b) -> a * b));
    ElemType elem = ElemType.valueOf(((SourceType.Prim) element).name());
    long[] sizes = shape.isEmpty() ? new long[] {1} : shape.stream().mapToLong(x -> x).toArray();
    ArrayValue all = new ArrayValue(elem, sizes, elem.newArray(count));
    for (int i = 0; i < count; i++) {
      int x = random.nextInt(-5, 20);
      all.setElement(
          i,
          switch (elem) {
            case F16 -> Scalar.f16(Float.floatToFloat16(x));
            case F32 -> Scalar.f32(x);
            case F64 -> Scalar.f64(x);
            case BOOL -> Scalar.bool(random.nextBoolean());
            default -> new Scalar(elem, x);
          });
    }
    return shape.isEmpty() ? all.element(0) : all;
  }

  /** Returns copies of values, for code that overwrites consumed arguments. */
  static List<Value> copy(List<Value> values) {
    List<Value> out = new ArrayList<>();
    for (Value v : values) {
      out.add(v instanceof ArrayValue a ? new ArrayValue(a.elemType(), a.shape(), copy(a)) : v);
    }
    return out;
  }

  private static Object copy(ArrayValue array) {
    Object data = array.elemType().newArray(array.length());
    System.arraycopy(array.data(), 0, data, 0, array.length());
    return data;
  }

  /**
   * Tests whether two results are equal; zeros of different signs differ, and all NaNs are equal.
   */
  static boolean same(List<Value> a, List<Value> b) {
    if (a.size() != b.size()) {
      return false;
    }
    for (int i = 0; i < a.size(); i++) {
      if (!same(a.get(i), b.get(i))) {
        return false;
      }
    }
    return true;
  }

  private static boolean same(Value a, Value b) {
    return switch (a) {
      case Scalar x -> b instanceof Scalar y && same(x, y);
      case ArrayValue x -> b instanceof ArrayValue y && same(x, y);
      default -> throw new IllegalArgumentException("opaque: " + a);
    };
  }

  private static boolean same(ArrayValue a, ArrayValue b) {
    if (a.elemType() != b.elemType() || !java.util.Arrays.equals(a.shape(), b.shape())) {
      return false;
    }
    for (int i = 0; i < a.size(); i++) {
      if (!same(a.element(i), b.element(i))) {
        return false;
      }
    }
    return true;
  }

  private static boolean same(Scalar a, Scalar b) {
    return a.equals(b)
        || a.type() == b.type()
            && a.type().isFloat()
            && Double.isNaN(real(a))
            && Double.isNaN(real(b));
  }

  private static double real(Scalar x) {
    return switch (x.type()) {
      case F16 -> Float.float16ToFloat(x.asShort());
      case F32 -> x.asFloat();
      default -> x.asDouble();
    };
  }

  static String text(List<Value> values) {
    StringBuilder out = new StringBuilder();
    for (Value v : values) {
      if (v instanceof ArrayValue a) {
        out.append(java.util.Arrays.toString(a.shape())).append("{");
        for (int i = 0; i < Math.min(40, a.size()); i++) {
          out.append(text(a.element(i))).append(" ");
        }
        out.append("}\n");
      } else {
        out.append(text((Scalar) v)).append("\n");
      }
    }
    return out.toString();
  }

  private static String text(Scalar x) {
    return x.type().isFloat() ? Double.toString(real(x)) : Long.toString(x.bits());
  }
}
