package futharkc.integration.spark;

import futharkc.core.runtime.ElemType;
import futharkc.integration.partitions.Columns;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.jspecify.annotations.Nullable;

/**
 * The batches of a partition, put together from rows or from Spark's own, smaller batches. All but
 * the last batch have the same number of rows, so that chunks do not depend on the source.
 *
 * @param <T> {@link InternalRow} or {@link ColumnarBatch}
 */
final class Batches<T> implements Iterator<Columns> {
  private final Iterator<T> source;
  private final List<ElemType> types;
  private final int rows;

  /** A batch whose first rows have been read. */
  private @Nullable ColumnarBatch open;

  private int position;

  /**
   * Creates the batches of a source.
   *
   * @param source the rows or batches
   * @param types the types of the columns
   * @param rows the number of rows of a batch
   */
  Batches(Iterator<T> source, List<ElemType> types, int rows) {
    this.source = source;
    this.types = types;
    this.rows = rows;
  }

  @Override
  public boolean hasNext() {
    return open != null || source.hasNext();
  }

  @Override
  public Columns next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    List<ColumnBuilder> columns = new ArrayList<>();
    for (int i = 0; i < types.size(); i++) {
      columns.add(new ColumnBuilder(types.get(i), i, rows));
    }
    int size = 0;
    while (size < rows && hasNext()) {
      if (open == null) {
        T next = source.next();
        if (next instanceof InternalRow row) {
          for (ColumnBuilder column : columns) {
            column.append(row);
          }
          size++;
          continue;
        }
        open = (ColumnarBatch) next;
        position = 0;
      }
      size += append(columns, open, rows - size);
    }
    return new Columns(size, columns.stream().map(ColumnBuilder::finish).toList());
  }

  /** Appends rows of the open batch, and returns their number. */
  private int append(List<ColumnBuilder> columns, ColumnarBatch batch, int most) {
    int count = Math.min(most, batch.numRows() - position);
    for (int i = 0; i < columns.size(); i++) {
      columns.get(i).append(batch.column(i), position, count);
    }
    position += count;
    if (position == batch.numRows()) {
      open = null;
    }
    return count;
  }
}
