package futharkc.core.runtime.embed;

import futharkc.core.runtime.ArrayValue;
import futharkc.core.runtime.ElemType;
import futharkc.core.runtime.OpaqueValue;
import futharkc.core.runtime.Opaques;
import futharkc.core.runtime.Value;
import futharkc.core.runtime.ValueType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

/** The conversions between Java values and Futhark values that typed classes use. */
public final class BindingValues {
  private BindingValues() {}

  /**
   * Returns a Futhark array of the elements of a Java array. Arrays of one dimension are shared,
   * not copied.
   *
   * @param type the element type
   * @param rank the number of dimensions
   * @param array a Java array, nested for several dimensions
   * @throws IllegalArgumentException if the nested arrays have different lengths or contain null
   */
  public static ArrayValue array(ElemType type, int rank, Object array) {
    if (rank == 1) {
      return ArrayValue.vector(type, array);
    }
    ArrayValue made = JavaArrays.toFuthark(type, rank, array, false);
    if (made == null) {
      throw new IllegalArgumentException(
          "a " + array.getClass().getSimpleName() + " is not an array of " + type);
    }
    return made;
  }

  /** Returns a Java array, nested for several dimensions, with a copy of the elements. */
  public static Object javaArray(Value array) {
    return JavaArrays.toJava((ArrayValue) array);
  }

  /**
   * Returns an array of opaque elements.
   *
   * @param type the type of the array
   * @param array a Java array, nested for several dimensions
   * @param element the conversion of the innermost elements
   * @throws IllegalArgumentException if the nested arrays have different lengths
   */
  public static Value opaqueArray(
      ValueType.Opaque type, Object[] array, Function<Object, Value> element) {
    int rank = Opaques.rank(type);
    long[] shape = new long[rank];
    List<Object> elements = Arrays.asList(array);
    for (int d = 0; d < rank; d++) {
      if (d > 0) {
        elements = rows(elements);
      }
      long rows = Math.max(1, ArrayValue.size(Arrays.copyOf(shape, d)));
      shape[d] = elements.size() / rows;
    }
    Value[] values = new Value[elements.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = element.apply(elements.get(i));
    }
    return Opaques.newArray(type, shape, values);
  }

  private static List<Object> rows(List<Object> rows) {
    List<Object> all = new ArrayList<>();
    int length = -1;
    for (Object row : rows) {
      Object[] elements = (Object[]) row;
      if (length >= 0 && elements.length != length) {
        throw new IllegalArgumentException(
            "the array is irregular: it has rows of "
                + length
                + " and "
                + elements.length
                + " elements");
      }
      length = elements.length;
      all.addAll(Arrays.asList(elements));
    }
    return all;
  }

  /**
   * Returns a Java array of converted elements.
   *
   * @param type the class of the Java array, nested for several dimensions
   * @param element the conversion of the innermost elements
   */
  public static <A> A javaArray(
      Class<A> type, ValueType.Opaque of, Value array, Function<Value, Object> element) {
    return type.cast(rows(type, of, array, element, new long[0]));
  }

  private static Object rows(
      Class<?> type, ValueType.Opaque of, Value array, Function<Value, Object> element, long[] at) {
    long[] shape = Opaques.shape(of, array);
    int n = Math.toIntExact(shape[at.length]);
    Object rows = Array.newInstance(type.componentType(), n);
    for (int i = 0; i < n; i++) {
      long[] here = Arrays.copyOf(at, at.length + 1);
      here[at.length] = i;
      Object row =
          here.length < shape.length
              ? rows(type.componentType(), of, array, element, here)
              : element.apply(Opaques.index(of, array, here));
      Array.set(rows, i, row);
    }
    return rows;
  }

  /**
   * Returns a Futhark array of the elements of a memory segment.
   *
   * @param type the element type; booleans are bytes, 0 for false
   * @param segment the elements in row-major order and native byte order
   * @throws IllegalArgumentException if the segment's size does not fit the shape
   */
  public static ArrayValue array(ElemType type, ShapedSegment segment) {
    long n = ArrayValue.size(segment.shape());
    if (segment.memory().byteSize() != Math.multiplyExact(n, type.bytes())) {
      throw new IllegalArgumentException(
          "a segment of "
              + segment.memory().byteSize()
              + " bytes does not hold "
              + n
              + " elements of type "
              + type);
    }
    Object elements = type.newArray(Math.toIntExact(n));
    if (elements instanceof boolean[] flags) {
      for (int i = 0; i < flags.length; i++) {
        flags[i] = segment.memory().get(ValueLayout.JAVA_BYTE, i) != 0;
      }
    } else {
      MemorySegment.copy(segment.memory(), layout(type), 0, elements, 0, (int) n);
    }
    return new ArrayValue(type, segment.shape().clone(), elements);
  }

  /**
   * Returns a one-dimensional Futhark array of the elements of a memory segment.
   *
   * @param type the element type
   * @throws IllegalArgumentException if the segment's size is not a multiple of the element size
   */
  public static ArrayValue array(ElemType type, MemorySegment segment) {
    return array(type, new ShapedSegment(segment, segment.byteSize() / type.bytes()));
  }

  /** Returns a new memory segment with a copy of the elements of a Futhark array. */
  public static ShapedSegment segment(Value value, SegmentAllocator allocator) {
    ArrayValue array = (ArrayValue) value;
    ElemType type = array.elemType();
    int n = array.length();
    MemorySegment memory = allocator.allocate(array.bytes(), type.bytes());
    if (array.data() instanceof boolean[] flags) {
      for (int i = 0; i < n; i++) {
        memory.set(ValueLayout.JAVA_BYTE, i, (byte) (flags[i] ? 1 : 0));
      }
    } else {
      MemorySegment.copy(array.data(), 0, memory, layout(type), 0, n);
    }
    return new ShapedSegment(memory, array.shape().clone());
  }

  private static ValueLayout layout(ElemType type) {
    return switch (type) {
      case I8, U8, BOOL -> ValueLayout.JAVA_BYTE;
      case I16, U16, F16 -> ValueLayout.JAVA_SHORT_UNALIGNED;
      case I32, U32 -> ValueLayout.JAVA_INT_UNALIGNED;
      case I64, U64 -> ValueLayout.JAVA_LONG_UNALIGNED;
      case F32 -> ValueLayout.JAVA_FLOAT_UNALIGNED;
      case F64 -> ValueLayout.JAVA_DOUBLE_UNALIGNED;
      case UNIT -> throw new IllegalArgumentException("there are no arrays of unit");
    };
  }

  /**
   * Returns the value of a handle.
   *
   * @throws IllegalArgumentException if the value has another type
   */
  public static OpaqueValue handle(ValueType.Opaque type, OpaqueValue value) {
    if (!type.has(value)) {
      throw new IllegalArgumentException(
          "a value of type " + value.type().name() + " is not of type " + type.name());
    }
    return value;
  }

  /** Returns a value with all its arrays on the host. */
  static Value onHost(Value value) {
    Value[] parts = Opaques.parts(value);
    if (Arrays.stream(parts).noneMatch(p -> p instanceof ArrayValue a && a != a.onHost())) {
      return value;
    }
    Value[] moved = parts.clone();
    for (int i = 0; i < moved.length; i++) {
      if (moved[i] instanceof ArrayValue a) {
        moved[i] = a.onHost();
      }
    }
    return Opaques.withParts(value, moved);
  }
}
