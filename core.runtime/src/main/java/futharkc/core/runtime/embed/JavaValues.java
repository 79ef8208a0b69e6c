package futharkc.core.runtime.embed;

import futharkc.core.runtime.ArrayValue;
import futharkc.core.runtime.OpaqueValue;
import futharkc.core.runtime.Opaques;
import futharkc.core.runtime.Scalar;
import futharkc.core.runtime.Value;
import futharkc.core.runtime.ValueType;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiPredicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Conversions between values of entry points and Java values.
 *
 * <table>
 *  <caption>Correspondence</caption> <tr><td>{@code i8 u8 i16 u16 i32 u32 i64 u64}</td><td>{@code byte byte short short int int long long}</td></tr> <tr><td>{@code f16 f32 f64 bool}</td><td>{@code float float double boolean}</td></tr> <tr><td>{@code []i32}, {@code [][]i32}, ...</td><td>{@code int[]}, {@code int[][]}, ..., {@link ArrayValue}; as arguments of one dimension, NIO buffers too</td></tr> <tr><td>records</td><td>Java records with components of the same names, or {@link OpaqueValue}</td></tr> <tr><td>tuples</td><td>Java records with as many components, {@code Object[]}, or {@link OpaqueValue}</td></tr> <tr><td>{@code []t}, {@code [][]t}, ... of records and tuples</td><td>arrays of Java records, or {@link OpaqueValue}</td></tr> <tr><td>all other types</td><td>{@link OpaqueValue}, to be handed to other entry points</td></tr>
 * </table>
 */
final class JavaValues {
  private JavaValues() {}

  /**
   * Converts a Java value to a Futhark value.
   *
   * @param copy whether the result must not share arrays with the argument
   * @param what the name of the value in error messages
   * @throws IllegalArgumentException if the Java value represents no value of the type
   */
  static Value toFuthark(ValueType type, @Nullable Object x, boolean copy, String what) {
    Value value =
        switch (type) {
          case ValueType.Prim p -> JavaScalars.toFuthark(p.elem(), x);
          case ValueType.Array a -> JavaArrays.toFuthark(a.elem(), a.rank(), x, copy);
          case ValueType.Opaque o -> opaque(o, x, copy, what);
        };
    if (value == null) {
      throw new IllegalArgumentException(
          what + " has type " + type.name() + ", which " + describe(x) + " cannot represent");
    }
    return value;
  }

  private static String describe(@Nullable Object x) {
    return switch (x) {
      case null -> "null";
      case Number n -> n.getClass().getSimpleName() + " " + n;
      case ArrayValue a -> "an " + a;
      case OpaqueValue o -> "a " + o;
      default -> "a " + x.getClass().getSimpleName();
    };
  }

  private static @Nullable Value opaque(
      ValueType.Opaque type, @Nullable Object x, boolean copy, String what) {
    if (x instanceof OpaqueValue v) {
      return sameForm(v.type(), type) ? v : null;
    }
    if (type.structure() instanceof ValueType.ArrayOf a) {
      return x instanceof Object[] array ? arrayOf(type, a, array, what) : null;
    }
    if (!(type.structure() instanceof ValueType.Record structure)) {
      return null;
    }
    ValueType.Field[] fields = structure.fields();
    @Nullable Object[] values =
        switch (x) {
          case Record r -> components(r, structure);
          case Object[] array -> structure.isTuple() ? array : null;
          case null, default -> null;
        };
    if (values == null || values.length != fields.length) {
      return null;
    }
    List<Value> parts = new ArrayList<>();
    for (int i = 0; i < fields.length; i++) {
      String name = what + ", field " + fields[i].name() + ",";
      switch (toFuthark(fields[i].type(), values[i], copy, name)) {
        case OpaqueValue o -> parts.addAll(Arrays.asList(o.parts()));
        case Value v -> parts.add(v);
      }
    }
    return new OpaqueValue(type, parts.toArray(new Value[0]));
  }

  /** Converts a nested Java array to an array of opaque elements. */
  private static Value arrayOf(
      ValueType.Opaque type, ValueType.ArrayOf structure, Object[] array, String what) {
    long[] shape = new long[structure.rank()];
    List<@Nullable Object> elements = Arrays.asList(array);
    for (int d = 0; d < shape.length; d++) {
      if (d > 0) {
        elements = rows(elements, what);
      }
      long rows = Math.max(1, ArrayValue.size(Arrays.copyOf(shape, d)));
      shape[d] = elements.size() / rows;
    }
    Value[] values = new Value[elements.size()];
    for (int i = 0; i < values.length; i++) {
      String name = what + ", element " + i + ",";
      values[i] = toFuthark(structure.elem(), elements.get(i), false, name);
    }
    return Opaques.newArray(type, shape, values);
  }

  /**
   * Returns the concatenated elements of all rows.
   *
   * @throws IllegalArgumentException if the rows have different lengths
   */
  private static List<@Nullable Object> rows(List<@Nullable Object> rows, String what) {
    List<@Nullable Object> all = new ArrayList<>();
    int length = -1;
    for (Object row : rows) {
      if (!(row instanceof Object[] elements) || length >= 0 && elements.length != length) {
        throw new IllegalArgumentException(what + " is not a regular array");
      }
      length = elements.length;
      all.addAll(Arrays.asList(elements));
    }
    return all;
  }

  /**
   * Tests whether two types have the same name and the same structure. Types of different programs
   * can have the same name and different structures.
   */
  private static boolean sameForm(ValueType a, ValueType b) {
    return a.name().equals(b.name())
        && (!(a instanceof ValueType.Opaque x)
            || b instanceof ValueType.Opaque y && sameForm(x.structure(), y.structure()));
  }

  private static boolean sameForm(ValueType.Structure a, ValueType.Structure b) {
    return switch (a) {
      case ValueType.Record x ->
          b instanceof ValueType.Record y
              && allOf(
                  x.fields(),
                  y.fields(),
                  (f, g) -> f.name().equals(g.name()) && sameForm(f.type(), g.type()));
      case ValueType.Sum x ->
          b instanceof ValueType.Sum y
              && allOf(
                  x.variants(),
                  y.variants(),
                  (v, w) ->
                      v.name().equals(w.name())
                          && Arrays.deepEquals(v.parts(), w.parts())
                          && allOf(v.payload(), w.payload(), JavaValues::sameForm));
      case ValueType.ArrayOf x ->
          b instanceof ValueType.ArrayOf y && x.rank() == y.rank() && sameForm(x.elem(), y.elem());
      case ValueType.Abstract x ->
          b instanceof ValueType.Abstract y
              && allOf(
                  x.parts(), y.parts(), (p, q) -> p.elem() == q.elem() && p.rank() == q.rank());
    };
  }

  private static <T> boolean allOf(T[] xs, T[] ys, BiPredicate<T, T> same) {
    return xs.length == ys.length
        && IntStream.range(0, xs.length).allMatch(i -> same.test(xs[i], ys[i]));
  }

  /**
   * Returns a record's components in the order of the type's fields, or null if the components do
   * not match the fields.
   */
  private static @Nullable Object @Nullable [] components(Record r, ValueType.Record structure) {
    RecordComponent[] components = inFieldOrder(r.getClass(), structure);
    if (components == null) {
      return null;
    }
    @Nullable Object[] values = new @Nullable Object[components.length];
    for (int i = 0; i < values.length; i++) {
      values[i] = Reflection.get(components[i], r);
    }
    return values;
  }

  /**
   * Returns the components of a record class in the order of a record type's fields, or null if the
   * components do not match the fields.
   */
  static RecordComponent @Nullable [] inFieldOrder(Class<?> c, ValueType.Record structure) {
    RecordComponent[] components = c.getRecordComponents();
    ValueType.Field[] fields = structure.fields();
    if (components == null || components.length != fields.length) {
      return null;
    }
    if (structure.isTuple()) {
      return components;
    }
    RecordComponent[] ordered = new RecordComponent[fields.length];
    for (int i = 0; i < fields.length; i++) {
      for (RecordComponent component : components) {
        if (component.getName().equals(fields[i].name())) {
          ordered[i] = component;
        }
      }
      if (ordered[i] == null) {
        return null;
      }
    }
    return ordered;
  }

  /**
   * Converts a Futhark value to a Java value.
   *
   * @param wanted the class of the result, which {@link #fits} must accept; {@code Object} selects
   *     the default class
   */
  static @Nullable Object toJava(ValueType type, Value value, Class<?> wanted) {
    if (wanted == ArrayValue.class || wanted == OpaqueValue.class || wanted == Value.class) {
      return value;
    }
    return switch (value) {
      case Scalar s -> JavaScalars.toJava(s);
      case ArrayValue a -> JavaArrays.toJava(a);
      case OpaqueValue o ->
          type instanceof ValueType.Opaque(String name, ValueType.Record structure)
                  && (wanted.isRecord() || wanted == Object[].class)
              ? fields(structure, o, wanted)
              : type instanceof ValueType.Opaque(String name, ValueType.ArrayOf structure)
                      && wanted.isArray()
                  ? array(type, structure.elem(), o, wanted, new long[0])
                  : o;
    };
  }

  /** Converts the subarray of an array of opaque elements at an index into its first dimensions. */
  private static Object array(
      ValueType type, ValueType element, OpaqueValue value, Class<?> wanted, long[] at) {
    long[] shape = Opaques.shape(type, value);
    int n = Math.toIntExact(shape[at.length]);
    Class<?> part = wanted.componentType();
    Object out = java.lang.reflect.Array.newInstance(part, n);
    for (int i = 0; i < n; i++) {
      long[] here = Arrays.copyOf(at, at.length + 1);
      here[at.length] = i;
      Object x =
          here.length < shape.length
              ? array(type, element, value, part, here)
              : toJava(element, Opaques.index(type, value, here), part);
      java.lang.reflect.Array.set(out, i, x);
    }
    return out;
  }

  private static Object fields(ValueType.Record structure, OpaqueValue value, Class<?> wanted) {
    ValueType.Field[] fields = structure.fields();
    @Nullable Object[] values = new @Nullable Object[fields.length];
    RecordComponent[] components = inFieldOrder(wanted, structure);
    int at = 0;
    for (int i = 0; i < fields.length; i++) {
      ValueType type = fields[i].type();
      int n = type.parts().length;
      Value[] parts = Arrays.copyOfRange(value.parts(), at, at + n);
      at += n;
      Value field = type instanceof ValueType.Opaque o ? new OpaqueValue(o, parts) : parts[0];
      values[i] = toJava(type, field, components == null ? Object.class : components[i].getType());
    }
    return components == null ? values : Reflection.construct(wanted, components, values);
  }

  /**
   * Tests whether a Java type can represent a Futhark type. NIO buffers can represent parameters
   * but not results.
   */
  static boolean fits(ValueType type, Class<?> c, boolean result) {
    if (c == Object.class || c == Value.class) {
      return true;
    }
    return switch (type) {
      case ValueType.Prim p -> unboxed(c) == JavaScalars.carrier(p.elem());
      case ValueType.Array a ->
          c == ArrayValue.class
              || c == JavaArrays.nested(a.elem(), a.rank())
              || !result && a.rank() == 1 && java.nio.Buffer.class.isAssignableFrom(c);
      case ValueType.Opaque o ->
          c == OpaqueValue.class
              || o.structure() instanceof ValueType.ArrayOf a && fitsArray(a, c, result)
              || o.structure() instanceof ValueType.Record r
                  && (c == Object[].class && r.isTuple() || fitsRecord(r, c, result));
    };
  }

  private static boolean fitsArray(ValueType.ArrayOf structure, Class<?> c, boolean result) {
    Class<?> part = c;
    for (int d = 0; d < structure.rank(); d++) {
      if (!part.isArray()) {
        return false;
      }
      part = part.componentType();
    }
    return part.isRecord() && fits(structure.elem(), part, result);
  }

  private static boolean fitsRecord(ValueType.Record structure, Class<?> c, boolean result) {
    RecordComponent[] components = inFieldOrder(c, structure);
    if (components == null) {
      return false;
    }
    for (int i = 0; i < components.length; i++) {
      if (!fits(structure.fields()[i].type(), components[i].getType(), result)) {
        return false;
      }
    }
    return true;
  }

  private static Class<?> unboxed(Class<?> c) {
    return java.lang.invoke.MethodType.methodType(c).unwrap().returnType();
  }
}
