package futharkc.integration.arrow;

import futharkc.core.runtime.ArrayValue;
import futharkc.core.runtime.ElemType;
import futharkc.integration.partitions.Columns;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.BitVector;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.Float2Vector;
import org.apache.arrow.vector.Float4Vector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.SmallIntVector;
import org.apache.arrow.vector.TinyIntVector;
import org.apache.arrow.vector.UInt1Vector;
import org.apache.arrow.vector.UInt2Vector;
import org.apache.arrow.vector.UInt4Vector;
import org.apache.arrow.vector.UInt8Vector;
import org.apache.arrow.vector.VectorSchemaRoot;

/** The elements of Arrow vectors, for the methods of libraries and for partitions. */
public final class ArrowSegments {
  private ArrowSegments() {}

  /**
   * Returns the elements of a vector, without a copy. The segment is valid until the vector is
   * closed or changes its size.
   *
   * @param vector a vector of integers or floating-point numbers
   * @throws IllegalArgumentException if the vector has nulls, or elements of another type
   */
  public static MemorySegment of(FieldVector vector) {
    ElemType type = elements(vector);
    if (type == ElemType.BOOL) {
      throw new IllegalArgumentException(
          "vector " + vector.getName() + " has booleans, which Arrow stores as bits: copy them");
    }
    int nulls = vector.getNullCount();
    if (nulls > 0) {
      throw new IllegalArgumentException(
          "vector "
              + vector.getName()
              + " has "
              + nulls
              + " nulls, the first in row "
              + first(vector));
    }
    return segment(vector, type);
  }

  @SuppressWarnings("restricted") // The vector knows the size of its memory.
  private static MemorySegment segment(FieldVector vector, ElemType type) {
    long bytes = (long) vector.getValueCount() * type.bytes();
    if (bytes == 0) {
      return MemorySegment.ofArray(new long[0]);
    }
    if (bytes <= Integer.MAX_VALUE) {
      return MemorySegment.ofBuffer(
          vector.getDataBuffer().nioBuffer(0, (int) bytes).order(ByteOrder.nativeOrder()));
    }
    return MemorySegment.ofAddress(vector.getDataBufferAddress()).reinterpret(bytes);
  }

  private static int first(FieldVector vector) {
    int row = 0;
    while (!vector.isNull(row)) {
      row++;
    }
    return row;
  }

  /**
   * Returns the rows of a table, with their nulls, as a batch of a partition. The elements are
   * copied.
   *
   * @throws IllegalArgumentException if a vector has elements that are not numbers or booleans
   */
  public static Columns columns(VectorSchemaRoot table) {
    List<Columns.Column> columns = new ArrayList<>();
    for (FieldVector vector : table.getFieldVectors()) {
      columns.add(column(vector));
    }
    return new Columns(table.getRowCount(), columns);
  }

  private static Columns.Column column(FieldVector vector) {
    ElemType type = elements(vector);
    int n = vector.getValueCount();
    Object elements = type.newArray(n);
    if (vector instanceof BitVector bits) {
      for (int i = 0; i < n; i++) {
        ((boolean[]) elements)[i] = !bits.isNull(i) && bits.get(i) != 0;
      }
    } else {
      MemorySegment from = segment(vector, type);
      ValueLayout layout =
          switch (elements) {
            case byte[] _ -> ValueLayout.JAVA_BYTE;
            case short[] _ -> ValueLayout.JAVA_SHORT_UNALIGNED;
            case int[] _ -> ValueLayout.JAVA_INT_UNALIGNED;
            case long[] _ -> ValueLayout.JAVA_LONG_UNALIGNED;
            case float[] _ -> ValueLayout.JAVA_FLOAT_UNALIGNED;
            default -> ValueLayout.JAVA_DOUBLE_UNALIGNED;
          };
      MemorySegment.copy(from, layout, 0, elements, 0, n);
    }
    BitSet nulls = null;
    if (vector.getNullCount() > 0) {
      nulls = new BitSet(n);
      for (int i = 0; i < n; i++) {
        nulls.set(i, vector.isNull(i));
      }
    }
    return new Columns.Column(ArrayValue.vector(type, elements), nulls);
  }

  /**
   * Returns the element type of a vector.
   *
   * @throws IllegalArgumentException if the elements are not numbers or booleans
   */
  public static ElemType elements(FieldVector vector) {
    return switch (vector) {
      case TinyIntVector _ -> ElemType.I8;
      case SmallIntVector _ -> ElemType.I16;
      case IntVector _ -> ElemType.I32;
      case BigIntVector _ -> ElemType.I64;
      case UInt1Vector _ -> ElemType.U8;
      case UInt2Vector _ -> ElemType.U16;
      case UInt4Vector _ -> ElemType.U32;
      case UInt8Vector _ -> ElemType.U64;
      case Float2Vector _ -> ElemType.F16;
      case Float4Vector _ -> ElemType.F32;
      case Float8Vector _ -> ElemType.F64;
      case BitVector _ -> ElemType.BOOL;
      default ->
          throw new IllegalArgumentException(
              "vector "
                  + vector.getName()
                  + " has type "
                  + vector.getField().getType()
                  + ", but programs take numbers and booleans");
    };
  }
}
