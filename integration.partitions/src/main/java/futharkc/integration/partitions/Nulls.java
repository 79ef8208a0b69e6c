package futharkc.integration.partitions;

import futharkc.core.runtime.ArrayValue;
import futharkc.core.runtime.ElemType;
import java.io.Serializable;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The treatment of nulls.
 *
 * @param fills one element for each column, a boxed Java value of the column's carrier, which
 *     replaces nulls; null to refuse nulls. A null in the list refuses nulls of that column.
 */
public record Nulls(@Nullable List<@Nullable Serializable> fills) implements Serializable {
  /** Nulls are errors. */
  public static final Nulls REFUSE = new Nulls(null);

  /**
   * Returns columns without nulls.
   *
   * @param firstRow the number of the first row in its partition, for the message
   * @throws IllegalArgumentException if a refused null is found; the message names the row
   */
  Columns applyTo(Columns columns, long firstRow) {
    if (columns.columns().stream().allMatch(c -> c.nulls() == null || c.nulls().isEmpty())) {
      return columns;
    }
    List<Columns.Column> filled = new java.util.ArrayList<>();
    for (int i = 0; i < columns.columns().size(); i++) {
      Columns.Column column = columns.columns().get(i);
      BitSet nulls = column.nulls();
      if (nulls == null || nulls.isEmpty()) {
        filled.add(column);
        continue;
      }
      Serializable fill = fills == null ? null : fills.get(i);
      if (fill == null) {
        throw new IllegalArgumentException(
            "column " + i + " is null in row " + (firstRow + nulls.nextSetBit(0)));
      }
      filled.add(new Columns.Column(filled(column.values(), nulls, fill)));
    }
    return new Columns(columns.rows(), filled);
  }

  private static ArrayValue filled(ArrayValue values, BitSet nulls, Serializable fill) {
    ElemType type = values.elemType();
    Object copy = type.newArray(values.length());
    values.store().read(type, 0, copy, 0, values.length());
    int row = values.shape()[0] == 0 ? 0 : Math.toIntExact(values.size() / values.shape()[0]);
    for (int i = nulls.nextSetBit(0); i >= 0; i = nulls.nextSetBit(i + 1)) {
      for (int j = 0; j < row; j++) {
        java.lang.reflect.Array.set(copy, i * row + j, fill);
      }
    }
    return new ArrayValue(type, values.shape(), copy);
  }
}
