package futharkc.integration.spark;

import futharkc.core.runtime.ArrayValue;
import futharkc.core.runtime.ElemType;
import futharkc.integration.partitions.Columns;
import java.util.BitSet;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.vectorized.ColumnVector;

/** A column of the batch that is being read. */
final class ColumnBuilder {
  private static final int FIRST_CAPACITY = 1024;

  private final ElemType type;
  private final int ordinal;
  private final int most;
  private final BitSet nulls = new BitSet();
  private Object elements;
  private int capacity;
  private int size;

  /**
   * Creates an empty column.
   *
   * @param type the element type
   * @param ordinal the column's number in rows
   * @param most the largest number of elements
   */
  ColumnBuilder(ElemType type, int ordinal, int most) {
    this.type = type;
    this.ordinal = ordinal;
    this.most = most;
    capacity = Math.min(FIRST_CAPACITY, most);
    elements = type.newArray(capacity);
  }

  private void grow(int needed) {
    if (needed > capacity) {
      capacity = (int) Math.min(most, Math.max(needed, capacity * 2L));
      Object larger = type.newArray(capacity);
      System.arraycopy(elements, 0, larger, 0, size);
      elements = larger;
    }
  }

  /** Appends the element of a row. */
  void append(InternalRow row) {
    grow(size + 1);
    if (row.isNullAt(ordinal)) {
      nulls.set(size);
    } else if (elements instanceof double[] a) {
      a[size] = row.getDouble(ordinal);
    } else if (elements instanceof long[] a) {
      a[size] = row.getLong(ordinal);
    } else if (elements instanceof int[] a) {
      a[size] = row.getInt(ordinal);
    } else if (elements instanceof float[] a) {
      a[size] = row.getFloat(ordinal);
    } else if (elements instanceof short[] a) {
      a[size] = row.getShort(ordinal);
    } else if (elements instanceof byte[] a) {
      a[size] = row.getByte(ordinal);
    } else {
      ((boolean[]) elements)[size] = row.getBoolean(ordinal);
    }
    size++;
  }

  /** Appends some elements of a vector. */
  void append(ColumnVector vector, int from, int count) {
    grow(size + count);
    if (vector.hasNull()) {
      for (int i = 0; i < count; i++) {
        if (vector.isNullAt(from + i)) {
          nulls.set(size + i);
        }
      }
    }
    System.arraycopy(read(vector, from, count), 0, elements, size, count);
    size += count;
  }

  private Object read(ColumnVector vector, int from, int count) {
    if (elements instanceof double[]) {
      return vector.getDoubles(from, count);
    } else if (elements instanceof long[]) {
      return vector.getLongs(from, count);
    } else if (elements instanceof int[]) {
      return vector.getInts(from, count);
    } else if (elements instanceof float[]) {
      return vector.getFloats(from, count);
    } else if (elements instanceof short[]) {
      return vector.getShorts(from, count);
    } else if (elements instanceof byte[]) {
      return vector.getBytes(from, count);
    }
    return vector.getBooleans(from, count);
  }

  /** Returns the number of elements. */
  int size() {
    return size;
  }

  /** Returns the column. */
  Columns.Column finish() {
    Object exact = elements;
    if (size < capacity) {
      exact = type.newArray(size);
      System.arraycopy(elements, 0, exact, 0, size);
    }
    return new Columns.Column(
        ArrayValue.vector(type, exact), nulls.isEmpty() ? null : (BitSet) nulls.clone());
  }
}
