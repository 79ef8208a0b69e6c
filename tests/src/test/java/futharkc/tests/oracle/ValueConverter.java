package futharkc.tests.oracle;

import futharkc.core.language.syntax.PrimType;
import futharkc.core.language.typed.Type;
import futharkc.core.runtime.ArrayValue;
import futharkc.core.runtime.ElemType;
import futharkc.core.runtime.OpaqueValue;
import futharkc.core.runtime.Opaques;
import futharkc.core.runtime.Scalar;
import futharkc.core.runtime.Value;
import futharkc.core.runtime.ValueType;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/** Conversions between values of the oracle and values of compiled programs. */
final class ValueConverter {
  private ValueConverter() {}

  /** Returns the oracle's value for a value of a compiled program with a public type. */
  static Val of(ValueType type, Value value) {
    return switch (type) {
      case ValueType.Prim _ -> scalar((Scalar) value);
      case ValueType.Array a -> array((ArrayValue) value, a.rank());
      case ValueType.Opaque o -> opaque(o, (OpaqueValue) value);
    };
  }

  private static Val scalar(Scalar s) {
    PrimType type = PrimType.valueOf(s.type().name());
    return switch (s.type()) {
      case F16 -> OracleScalars.real(type, Float.float16ToFloat(s.asShort()));
      case F32 -> OracleScalars.real(type, s.asFloat());
      default -> new Val.Prim(type, s.bits());
    };
  }

  private static Val array(ArrayValue a, int rank) {
    List<Val> flat = new ArrayList<>();
    for (long i = 0; i < a.size(); i++) {
      flat.add(scalar(a.element(i)));
    }
    return nested(flat, a.shape(), Type.prim(PrimType.valueOf(a.elemType().name())), rank);
  }

  /** Returns an array of arrays for elements in row-major order. */
  private static Val nested(List<Val> flat, long[] shape, Type elem, int rank) {
    Val.Arr out = new Val.Arr(flat, elem);
    for (int d = rank - 1; d > 0; d--) {
      int n = (int) shape[d];
      Type row = new Type.Array(false, new Type.Size.Const(n), out.elem());
      long rows = 1;
      for (int i = 0; i < d; i++) {
        rows *= shape[i];
      }
      List<Val> parts = new ArrayList<>();
      for (int i = 0; i < rows; i++) {
        parts.add(new Val.Arr(out.elems().subList(i * n, (i + 1) * n), out.elem()));
      }
      out = new Val.Arr(parts, row);
    }
    return out;
  }

  private static Val opaque(ValueType.Opaque type, OpaqueValue value) {
    switch (type.structure()) {
      case ValueType.Record r -> {
        SortedMap<String, Val> fields = Builtins.fields();
        Value[] parts = Opaques.unpack(value);
        for (int i = 0; i < parts.length; i++) {
          fields.put(r.fields()[i].name(), of(r.fields()[i].type(), parts[i]));
        }
        return new Val.Rec(fields);
      }
      case ValueType.Sum _ -> {
        ValueType.Variant variant = Opaques.variant(value);
        Value[] parts = Opaques.destruct(value);
        List<Val> payload = new ArrayList<>();
        for (int i = 0; i < parts.length; i++) {
          payload.add(of(variant.payload()[i], parts[i]));
        }
        return new Val.Sum(variant.name(), payload);
      }
      case ValueType.ArrayOf a -> {
        long[] shape = Opaques.shape(type, value);
        List<Val> flat = new ArrayList<>();
        long[] at = new long[shape.length];
        for (long i = 0; i < ArrayValue.size(shape); i++) {
          long rest = i;
          for (int d = shape.length - 1; d >= 0; d--) {
            at[d] = rest % shape[d];
            rest /= shape[d];
          }
          flat.add(of(a.elem(), Opaques.index(type, value, at)));
        }
        Type unknown = new Type.Record(new java.util.TreeMap<>());
        return nested(flat, shape, unknown, a.rank());
      }
      case ValueType.Abstract _ ->
          throw new UnsupportedException("an abstract type " + type.name());
    }
  }

  /** Returns a compiled program's value for a value of the oracle. */
  static Value to(ValueType type, Val value) {
    return switch (type) {
      case ValueType.Prim p -> scalar(p.elem(), (Val.Prim) value);
      case ValueType.Array a -> {
        List<Val.Prim> flat = new ArrayList<>();
        flatten(value, flat);
        long[] shape = shape(value, a.rank());
        ArrayValue out = new ArrayValue(a.elem(), shape, a.elem().newArray(flat.size()));
        for (int i = 0; i < flat.size(); i++) {
          out.setElement(i, scalar(a.elem(), flat.get(i)));
        }
        yield out;
      }
      case ValueType.Opaque o ->
          switch (o.structure()) {
            case ValueType.Record r -> {
              Value[] parts = new Value[r.fields().length];
              for (int i = 0; i < parts.length; i++) {
                ValueType.Field f = r.fields()[i];
                parts[i] = to(f.type(), ((Val.Rec) value).fields().get(f.name()));
              }
              yield Opaques.pack(o, parts);
            }
            case ValueType.Sum s -> {
              Val.Sum sum = (Val.Sum) value;
              for (ValueType.Variant v : s.variants()) {
                if (!v.name().equals(sum.name())) {
                  continue;
                }
                Value[] payload = new Value[v.payload().length];
                for (int i = 0; i < payload.length; i++) {
                  payload[i] = to(v.payload()[i], sum.payload().get(i));
                }
                yield Opaques.construct(o, v.name(), payload);
              }
              throw new TypeViolationException("no variant " + sum.name());
            }
            case ValueType.ArrayOf a -> {
              List<Val> flat = List.of(value);
              for (int d = 0; d < a.rank(); d++) {
                flat = flat.stream().flatMap(x -> ((Val.Arr) x).elems().stream()).toList();
              }
              Value[] elems = flat.stream().map(x -> to(a.elem(), x)).toArray(Value[]::new);
              yield Opaques.newArray(type, shape(value, a.rank()), elems);
            }
            case ValueType.Abstract _ ->
                throw new UnsupportedException("an abstract type " + type.name());
          };
    };
  }

  private static Scalar scalar(ElemType type, Val.Prim p) {
    return switch (type) {
      case F16 -> Scalar.f16(Float.floatToFloat16((float) OracleScalars.real(p)));
      case F32 -> Scalar.f32((float) OracleScalars.real(p));
      default -> new Scalar(type, p.bits());
    };
  }

  private static void flatten(Val value, List<Val.Prim> out) {
    switch (value) {
      case Val.Arr a -> a.elems().forEach(x -> flatten(x, out));
      case Val.Prim p -> out.add(p);
      default -> throw new TypeViolationException("not a number: " + value);
    }
  }

  private static long[] shape(Val value, int rank) {
    List<@Nullable Long> shape = OracleTypes.shape(value, rank);
    return shape.stream().mapToLong(n -> n == null ? 0 : n).toArray();
  }

  /**
   * Returns a description of the first difference of two values, or null. Zeros of different signs
   * differ; all NaNs are equal.
   */
  static @Nullable String difference(Val a, Val b, String at) {
    return switch (a) {
      case Val.Prim x ->
          b instanceof Val.Prim y && x.type() == y.type() && same(x, y)
              ? null
              : at + ": " + show(a) + " and " + show(b);
      case Val.Arr x -> {
        if (!(b instanceof Val.Arr y)) {
          yield at + ": an array and " + show(b);
        }
        if (x.elems().size() != y.elems().size()) {
          yield at + ": sizes " + x.elems().size() + " and " + y.elems().size();
        }
        yield differences(x.elems(), y.elems(), at);
      }
      case Val.Rec x -> {
        if (!(b instanceof Val.Rec y) || !x.fields().keySet().equals(y.fields().keySet())) {
          yield at + ": a record and " + show(b);
        }
        yield differences(List.copyOf(x.fields().values()), List.copyOf(y.fields().values()), at);
      }
      case Val.Sum x ->
          b instanceof Val.Sum y && x.name().equals(y.name())
              ? differences(x.payload(), y.payload(), at)
              : at + ": " + show(a) + " and " + show(b);
      case Val.Fn _, Val.Def _, Val.Acc _ ->
          throw new TypeViolationException("a function is a result");
    };
  }

  private static @Nullable String differences(List<Val> a, List<Val> b, String at) {
    for (int i = 0; i < a.size(); i++) {
      String difference = difference(a.get(i), b.get(i), at + "." + i);
      if (difference != null) {
        return difference;
      }
    }
    return null;
  }

  private static boolean same(Val.Prim x, Val.Prim y) {
    return x.bits() == y.bits()
        || x.type().isFloat()
            && Double.isNaN(OracleScalars.real(x))
            && Double.isNaN(OracleScalars.real(y));
  }

  static String show(Val v) {
    return switch (v) {
      case Val.Prim p ->
          (p.type().isFloat()
                  ? Double.toString(OracleScalars.real(p))
                  : p.type() == PrimType.BOOL
                      ? "" + (p.bits() != 0)
                      : OracleScalars.big(p).toString())
              + (p.type() == PrimType.BOOL ? "" : p.type());
      case Val.Arr a -> a.elems().stream().limit(40).map(ValueConverter::show).toList().toString();
      case Val.Rec r ->
          r.fields().entrySet().stream()
              .map(e -> e.getKey() + "=" + show(e.getValue()))
              .toList()
              .toString();
      case Val.Sum s -> "#" + s.name() + s.payload().stream().map(ValueConverter::show).toList();
      case Val.Fn _, Val.Def _, Val.Acc _ -> "a function";
    };
  }
}
