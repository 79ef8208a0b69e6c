package futharkc.tests.fuzz;

import futharkc.core.runtime.ArrayValue;
import futharkc.core.runtime.ElemType;
import futharkc.core.runtime.Scalar;
import futharkc.core.runtime.Value;
import futharkc.tests.kit.source.RandomProgram;
import futharkc.tests.kit.source.Ty;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Random arguments of a random program's {@code main}. */
final class Inputs {
  private Inputs() {}

  static List<Value> of(long n, long m, Random random) {
    List<Value> out = new ArrayList<>();
    out.add(Scalar.i64(n));
    out.add(Scalar.i64(m));
    for (RandomProgram.Param p : RandomProgram.PARAMS.subList(2, RandomProgram.PARAMS.size())) {
      out.add(value(p.type(), n, m, random));
    }
    return out;
  }

  private static Value value(Ty type, long n, long m, Random random) {
    List<Long> shape = new ArrayList<>();
    Ty element = type;
    while (element instanceof Ty.Array a) {
      shape.add(a.size().equals("n") ? n : m);
      element = a.element();
    }
    int count = Math.toIntExact(shape.stream().reduce(1L, (a, b) -> a * b));
    Object data =
        switch ((Ty.Prim) element) {
          case I64 -> random.longs(count, -5, 20).toArray();
          case I32 -> random.ints(count, -5, 20).toArray();
          case F64 -> random.ints(count, -5, 20).asDoubleStream().toArray();
          case BOOL -> {
            boolean[] bits = new boolean[count];
            for (int i = 0; i < count; i++) {
              bits[i] = random.nextBoolean();
            }
            yield bits;
          }
        };
    ElemType elem =
        switch ((Ty.Prim) element) {
          case I64 -> ElemType.I64;
          case I32 -> ElemType.I32;
          case F64 -> ElemType.F64;
          case BOOL -> ElemType.BOOL;
        };
    ArrayValue all =
        new ArrayValue(
            elem,
            shape.isEmpty() ? new long[] {1} : shape.stream().mapToLong(x -> x).toArray(),
            data);
    return shape.isEmpty() ? all.element(0) : all;
  }

  /** For code that overwrites what it consumes. */
  static List<Value> copy(List<Value> values) {
    List<Value> out = new ArrayList<>();
    for (Value v : values) {
      out.add(
          v instanceof ArrayValue a ? new ArrayValue(a.elemType(), a.shape(), copy(a.data())) : v);
    }
    return out;
  }

  private static Object copy(Object data) {
    return switch (data) {
      case long[] a -> a.clone();
      case int[] a -> a.clone();
      case double[] a -> a.clone();
      case boolean[] a -> a.clone();
      default -> throw new IllegalArgumentException(data.getClass().getName());
    };
  }

  /** Whether two results are the same; zeros of both signs are. */
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
    return a.equals(b) || a.type() == ElemType.F64 && b.type() == a.type() && f64(a) == f64(b);
  }

  private static double f64(Scalar x) {
    return Double.longBitsToDouble(x.bits());
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
    return x.type() == ElemType.F64 ? Double.toString(f64(x)) : Long.toString(x.bits());
  }
}
