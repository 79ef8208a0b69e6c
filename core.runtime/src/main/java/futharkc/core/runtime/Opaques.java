package futharkc.core.runtime;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Construction and decomposition of values. The parts are shared, not copied, apart from elements
 * that are put into or taken from arrays.
 *
 * <p>All methods throw {@link IllegalArgumentException} for values of the wrong type or shape; the
 * message is for users.
 */
public final class Opaques {
  private Opaques() {}

  // Arguments and results of calls.

  /** Returns the scalars and arrays that represent an entry point's arguments. */
  static Value[] flatten(EntryPoint entry, Value[] args) {
    EntryPoint.Parameter[] params = entry.parameters();
    if (args.length != params.length) {
      throw new IllegalArgumentException(
          "entry point "
              + entry.name()
              + " takes "
              + entry.argumentCount()
              + ", not "
              + args.length);
    }
    boolean isFlat = true;
    for (int i = 0; i < params.length; i++) {
      if (!params[i].type().has(args[i])) {
        throw new IllegalArgumentException(
            "argument "
                + (i + 1)
                + " of entry point "
                + entry.name()
                + " is not of type "
                + params[i].type().name());
      }
      isFlat &= !(args[i] instanceof OpaqueValue);
    }
    if (isFlat) {
      return args.clone();
    }
    List<Value> flat = new ArrayList<>();
    for (Value arg : args) {
      flat.addAll(Arrays.asList(parts(arg)));
    }
    return flat.toArray(new Value[0]);
  }

  /**
   * Tests whether two types of one program are the same: they have equal names, or equal public
   * structures.
   */
  public static boolean sameType(ValueType a, ValueType b) {
    return a.name().equals(b.name())
        || a instanceof ValueType.Opaque x
            && b instanceof ValueType.Opaque y
            && sameStructure(x.structure(), y.structure());
  }

  private static boolean sameStructure(ValueType.Structure a, ValueType.Structure b) {
    return switch (a) {
      case ValueType.Record x ->
          b instanceof ValueType.Record y
              && same(
                  x.fields(),
                  y.fields(),
                  (f, g) -> f.name().equals(g.name()) && sameType(f.type(), g.type()));
      case ValueType.Sum x ->
          b instanceof ValueType.Sum y
              && same(
                  x.variants(),
                  y.variants(),
                  (v, w) ->
                      v.name().equals(w.name())
                          && same(v.payload(), w.payload(), Opaques::sameType)
                          && Arrays.deepEquals(v.parts(), w.parts()));
      case ValueType.ArrayOf x ->
          b instanceof ValueType.ArrayOf y && x.rank() == y.rank() && sameType(x.elem(), y.elem());
      case ValueType.Abstract _ -> false;
    };
  }

  private static <T> boolean same(T[] a, T[] b, BiPredicate<T, T> same) {
    if (a.length != b.length) {
      return false;
    }
    for (int i = 0; i < a.length; i++) {
      if (!same.test(a[i], b[i])) {
        return false;
      }
    }
    return true;
  }

  /** Returns the scalars and arrays that represent a value; a scalar or array represents itself. */
  public static Value[] parts(Value value) {
    return value instanceof OpaqueValue o ? o.parts() : new Value[] {value};
  }

  /** Returns the value of a type that the given scalars and arrays represent. */
  public static Value compose(ValueType type, Value... parts) {
    return type instanceof ValueType.Opaque o ? new OpaqueValue(o, parts) : parts[0];
  }

  /** Returns a value of the same type that other scalars and arrays represent. */
  public static Value withParts(Value value, Value[] parts) {
    return value instanceof OpaqueValue o ? new OpaqueValue(o.type(), parts) : parts[0];
  }

  // Records, and arrays of records.

  /**
   * Returns the fields of a record type; for an array of records, the arrays of its fields; null
   * for other types.
   */
  public static ValueType.Field @Nullable [] fields(ValueType type) {
    if (!(type instanceof ValueType.Opaque o)) {
      return null;
    }
    if (o.structure() instanceof ValueType.Record r) {
      return r.fields();
    }
    if (o.structure() instanceof ValueType.ArrayOf(int rank, ValueType.Opaque elem)
        && elem.structure() instanceof ValueType.Record r) {
      ValueType.Field[] fields = new ValueType.Field[r.fields().length];
      for (int i = 0; i < fields.length; i++) {
        ValueType.Field field = r.fields()[i];
        fields[i] = new ValueType.Field(field.name(), ValueType.arrayOf(rank, field.type()));
      }
      return fields;
    }
    return null;
  }

  private static ValueType.Field[] someFields(ValueType type) {
    ValueType.Field[] fields = fields(type);
    if (fields == null) {
      throw new IllegalArgumentException("Not a record type: " + type.name());
    }
    return fields;
  }

  /** Returns the values of all fields of a record, or of an array of records. */
  public static Value[] unpack(OpaqueValue record) {
    ValueType.Field[] fields = someFields(record.type());
    Value[] values = new Value[fields.length];
    int at = 0;
    for (int i = 0; i < fields.length; i++) {
      int n = fields[i].type().parts().length;
      values[i] = compose(fields[i].type(), Arrays.copyOfRange(record.parts(), at, at + n));
      at += n;
    }
    return values;
  }

  /**
   * Returns the record, or array of records, with the given fields; arrays must have the same outer
   * shape.
   */
  public static OpaqueValue pack(ValueType.Opaque type, Value... values) {
    ValueType.Field[] fields = someFields(type);
    if (values.length != fields.length) {
      throw new IllegalArgumentException(
          fields.length + " fields expected, but got " + values.length + " values");
    }
    List<Value> parts = new ArrayList<>();
    for (int i = 0; i < fields.length; i++) {
      checkType("Field " + fields[i].name(), fields[i].type(), values[i]);
      parts.addAll(Arrays.asList(parts(values[i])));
    }
    OpaqueValue result = new OpaqueValue(type, parts.toArray(new Value[0]));
    if (type.structure() instanceof ValueType.ArrayOf(int rank, ValueType.Opaque _)) {
      long[] shape = null;
      for (Value part : result.parts()) {
        long[] other = Arrays.copyOf(((ArrayValue) part).shape(), rank);
        if (shape != null && !Arrays.equals(shape, other)) {
          throw new IllegalArgumentException(
              "Arrays of different shapes: "
                  + Arrays.toString(shape)
                  + " and "
                  + Arrays.toString(other));
        }
        shape = other;
      }
    }
    return result;
  }

  private static void checkType(String what, ValueType type, Value value) {
    if (!type.has(value)) {
      throw new IllegalArgumentException(
          what + " mismatch: expected type " + type.name() + ", got " + typeName(value));
    }
  }

  /** Returns the name of a value's type. */
  public static String typeName(Value value) {
    return switch (value) {
      case Scalar s -> s.type().text();
      case ArrayValue a -> "[]".repeat(a.rank()) + a.elemType().text();
      case OpaqueValue o -> o.type().name();
    };
  }

  // Sums.

  private static ValueType.Sum sum(ValueType.Opaque type) {
    if (type.structure() instanceof ValueType.Sum sum) {
      return sum;
    }
    throw new IllegalArgumentException("Not a sum type: " + type.name());
  }

  /** Returns the variant of a value of a sum type. */
  public static ValueType.Variant variant(OpaqueValue value) {
    ValueType.Variant[] variants = sum(value.type()).variants();
    return variants[(int) ((Scalar) value.parts()[0]).bits() & 0xff];
  }

  /** Returns the payload of a value of a sum type. */
  public static Value[] destruct(OpaqueValue value) {
    ValueType.Variant variant = variant(value);
    Value[] payload = new Value[variant.payload().length];
    for (int i = 0; i < payload.length; i++) {
      int[] positions = variant.parts()[i];
      Value[] parts = new Value[positions.length];
      ValueType.Part[] shown = variant.payload()[i].parts();
      for (int j = 0; j < parts.length; j++) {
        parts[j] = as(shown[j].elem(), value.parts()[positions[j]]);
      }
      payload[i] = compose(variant.payload()[i], parts);
    }
    return payload;
  }

  /**
   * Returns the value of a sum type with a payload.
   *
   * @param type the sum type
   * @param name the name of the variant
   * @param payload the payload
   */
  public static OpaqueValue construct(ValueType.Opaque type, String name, Value... payload) {
    ValueType.Sum sum = sum(type);
    for (int tag = 0; tag < sum.variants().length; tag++) {
      ValueType.Variant variant = sum.variants()[tag];
      if (variant.name().equals(name)) {
        return construct(type, sum, tag, payload);
      }
    }
    throw new IllegalArgumentException("No such variant: " + name);
  }

  private static OpaqueValue construct(
      ValueType.Opaque type, ValueType.Sum sum, int tag, Value[] payload) {
    ValueType.Variant variant = sum.variants()[tag];
    if (payload.length != variant.payload().length) {
      throw new IllegalArgumentException(
          variant.payload().length + " values expected, but got " + payload.length);
    }
    Value[] parts = new Value[sum.parts().length];
    parts[0] = new Scalar(sum.parts()[0].elem(), tag);
    Map<String, Long> sizes = new HashMap<>();
    for (int i = 0; i < payload.length; i++) {
      checkType("Value " + i, variant.payload()[i], payload[i]);
      Value[] given = parts(payload[i]);
      for (int j = 0; j < given.length; j++) {
        int position = variant.parts()[i][j];
        parts[position] = as(sum.parts()[position].elem(), given[j]);
        if (given[j] instanceof ArrayValue a) {
          learnSizes(sum.parts()[position], a, sizes);
        }
      }
    }
    for (int i = 1; i < parts.length; i++) {
      if (parts[i] == null) {
        parts[i] = filler(sum.parts()[i], sizes);
      }
    }
    return new OpaqueValue(type, parts);
  }

  /**
   * Reinterprets the bits as another type of the same width. Payloads of different signedness may
   * share a part.
   */
  private static Value as(ElemType type, Value value) {
    return switch (value) {
      case Scalar s -> new Scalar(type, s.bits());
      case ArrayValue a -> new ArrayValue(type, a.shape(), a.store());
      case OpaqueValue o -> o;
    };
  }

  private static void learnSizes(ValueType.Part part, ArrayValue array, Map<String, Long> sizes) {
    for (int d = 0; d < part.rank(); d++) {
      String size = part.dims()[d];
      Long known = size.isEmpty() ? null : sizes.put(size, array.shape()[d]);
      if (known != null && known != array.shape()[d]) {
        throw new IllegalArgumentException(
            "Size " + size + " is both " + known + " and " + array.shape()[d]);
      }
    }
  }

  /** Returns a value, of consistent shape, for a part that the variant does not use. */
  private static Value filler(ValueType.Part part, Map<String, Long> sizes) {
    if (part.rank() == 0) {
      return new Scalar(part.elem(), 0);
    }
    long[] shape = shapeOf(part, sizes);
    return new ArrayValue(
        part.elem(), shape, part.elem().newArray(Math.toIntExact(ArrayValue.size(shape))));
  }

  /** Returns the known sizes of a part; 0 for unknown sizes. */
  private static long[] shapeOf(ValueType.Part part, Map<String, Long> sizes) {
    long[] shape = new long[part.rank()];
    for (int d = 0; d < shape.length; d++) {
      String size = part.dims()[d];
      if (!size.isEmpty() && Character.isDigit(size.charAt(0))) {
        shape[d] = Long.parseLong(size);
      } else {
        Long known = sizes.get(size);
        shape[d] = known == null ? 0 : known;
      }
    }
    return shape;
  }

  // Arrays of primitive or opaque elements.

  /** Returns the number of dimensions of an array type; 0 for other types. */
  public static int rank(ValueType type) {
    return switch (type) {
      case ValueType.Prim _ -> 0;
      case ValueType.Array a -> a.rank();
      case ValueType.Opaque o ->
          o.structure() instanceof ValueType.ArrayOf(int rank, ValueType.Opaque _) ? rank : 0;
    };
  }

  /** Returns the element type of an array type. */
  public static ValueType elementType(ValueType type) {
    return switch (type) {
      case ValueType.Array a -> new ValueType.Prim(a.elem());
      case ValueType.Opaque(String _, ValueType.ArrayOf(int _, ValueType.Opaque elem)) -> elem;
      default -> throw new IllegalArgumentException("Not an array type: " + type.name());
    };
  }

  /** Returns the shape of an array, of primitives or of opaque elements. */
  public static long[] shape(ValueType type, Value array) {
    int rank = rank(type);
    if (rank == 0) {
      throw new IllegalArgumentException("Not an array type: " + type.name());
    }
    Value[] parts = parts(array);
    return parts.length == 0
        ? new long[rank]
        : Arrays.copyOf(((ArrayValue) parts[0]).shape(), rank);
  }

  /** Returns a copy of the element of an array at the given indices. */
  public static Value index(ValueType type, Value array, long... indices) {
    long flat = flatIndex(shape(type, array), indices);
    Value[] parts = parts(array);
    Value[] elements = new Value[parts.length];
    for (int i = 0; i < parts.length; i++) {
      ArrayValue part = (ArrayValue) parts[i];
      long[] inner = Arrays.copyOfRange(part.shape(), indices.length, part.rank());
      if (inner.length == 0) {
        elements[i] = part.element(flat);
      } else {
        int size = Math.toIntExact(ArrayValue.size(inner));
        Object data = part.elemType().newArray(size);
        part.store().read(part.elemType(), flat * size, data, 0, size);
        elements[i] = new ArrayValue(part.elemType(), inner, data);
      }
    }
    return compose(elementType(type), elements);
  }

  /** Overwrites the element of an array at the given indices. */
  public static void set(ValueType type, Value array, Value element, long... indices) {
    checkType("Element", elementType(type), element);
    put(array, element, flatIndex(shape(type, array), indices), indices.length);
  }

  private static void put(Value array, Value element, long flat, int rank) {
    Value[] parts = parts(array);
    Value[] elements = parts(element);
    for (int i = 0; i < parts.length; i++) {
      ArrayValue part = (ArrayValue) parts[i];
      if (elements[i] instanceof Scalar s) {
        part.setElement(flat, s);
      } else if (elements[i] instanceof ArrayValue a) {
        long[] inner = Arrays.copyOfRange(part.shape(), rank, part.rank());
        if (!Arrays.equals(inner, a.shape())) {
          throw new IllegalArgumentException(
              "Elements of different shapes: "
                  + Arrays.toString(inner)
                  + " and "
                  + Arrays.toString(a.shape()));
        }
        part.store().write(a.elemType(), flat * a.size(), a.data(), 0, a.length());
      }
    }
  }

  private static long flatIndex(long[] shape, long[] indices) {
    if (indices.length != shape.length) {
      throw new IllegalArgumentException(
          shape.length + " indices expected, but got " + indices.length);
    }
    long flat = 0;
    for (int d = 0; d < shape.length; d++) {
      if (indices[d] < 0 || indices[d] >= shape[d]) {
        throw new IllegalArgumentException(
            "Index " + indices[d] + " out of bounds for dimension " + d + " of size " + shape[d]);
      }
      flat = flat * shape[d] + indices[d];
    }
    return flat;
  }

  /** Returns an array with the given elements, in row-major order. */
  public static Value newArray(ValueType type, long[] shape, Value... elements) {
    ValueType elementType = elementType(type);
    int rank = rank(type);
    if (shape.length != rank || ArrayValue.size(shape) != elements.length) {
      throw new IllegalArgumentException(
          "An array of shape "
              + Arrays.toString(shape)
              + " and type "
              + type.name()
              + " cannot have "
              + elements.length
              + " elements");
    }
    for (int i = 0; i < elements.length; i++) {
      checkType("Value " + i, elementType, elements[i]);
    }
    ValueType.Part[] elementParts = elementType.parts();
    Value[] parts = new Value[elementParts.length];
    for (int i = 0; i < parts.length; i++) {
      long[] whole = Arrays.copyOf(shape, rank + elementParts[i].rank());
      if (elements.length > 0 && parts(elements[0])[i] instanceof ArrayValue a) {
        System.arraycopy(a.shape(), 0, whole, rank, a.rank());
      } else if (elements.length == 0) {
        long[] inner = shapeOf(elementParts[i], Map.of());
        System.arraycopy(inner, 0, whole, rank, inner.length);
      }
      ElemType elem = elementParts[i].elem();
      parts[i] =
          new ArrayValue(elem, whole, elem.newArray(Math.toIntExact(ArrayValue.size(whole))));
    }
    Value array = compose(type, parts);
    for (int i = 0; i < elements.length; i++) {
      put(array, elements[i], i, rank);
    }
    return array;
  }
}
