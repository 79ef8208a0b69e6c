package futharkc.integration.partitions;

import futharkc.core.runtime.ArrayValue;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Some rows of a table, column by column.
 *
 * @param rows the number of rows
 * @param columns the columns, arrays on the host of that many elements or subarrays
 */
public record Columns(long rows, List<Column> columns) {
  /**
   * A column.
   *
   * @param values the elements; their values at nulls are arbitrary
   * @param nulls the rows that are null; null if no row is
   */
  public record Column(ArrayValue values, @Nullable BitSet nulls) {
    /** Creates a column without nulls. */
    public Column(ArrayValue values) {
      this(values, null);
    }
  }

  /** Checks the sizes of the columns. */
  public Columns {
    columns = List.copyOf(columns);
    for (int i = 0; i < columns.size(); i++) {
      long[] shape = columns.get(i).values().shape();
      if (shape[0] != rows) {
        throw new IllegalArgumentException(
            "column " + i + " has " + shape[0] + " rows instead of " + rows);
      }
    }
  }

  /**
   * Creates columns without nulls.
   *
   * @param columns at least one array
   */
  public static Columns of(ArrayValue... columns) {
    return new Columns(columns[0].shape()[0], List.of(columns).stream().map(Column::new).toList());
  }

  /** Returns the size of one row in bytes. */
  long rowBytes() {
    long bytes = 0;
    for (Column c : columns) {
      long size = c.values().elemType().bytes();
      for (int d = 1; d < c.values().rank(); d++) {
        size *= c.values().shape()[d];
      }
      bytes += size;
    }
    return bytes;
  }

  /** Returns a copy of some rows; all rows are returned without a copy. */
  Columns slice(long from, long to) {
    if (from == 0 && to == rows) {
      return this;
    }
    return new Columns(to - from, columns.stream().map(c -> slice(c, from, to)).toList());
  }

  private static Column slice(Column column, long from, long to) {
    ArrayValue all = column.values();
    long[] shape = all.shape().clone();
    long row = shape[0] == 0 ? 0 : all.size() / shape[0];
    shape[0] = to - from;
    int size = Math.toIntExact(row * shape[0]);
    Object elements = all.elemType().newArray(size);
    all.store().read(all.elemType(), from * row, elements, 0, size);
    BitSet nulls = column.nulls();
    return new Column(
        new ArrayValue(all.elemType(), shape, elements),
        nulls == null ? null : nulls.get((int) from, (int) to));
  }
}
