package futharkc.integration.spark;

import futharkc.core.runtime.ArrayValue;
import futharkc.core.runtime.ElemType;
import futharkc.integration.partitions.Columns;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.execution.vectorized.OnHeapColumnVector;
import org.apache.spark.sql.execution.vectorized.WritableColumnVector;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.vectorized.ColumnVector;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/** The rows of resulting columns. The iterator returns the same row object for each row. */
final class ResultRows implements Iterator<InternalRow> {
  private final Iterator<Columns> results;
  private final StructType schema;
  private final Runnable end;
  private Iterator<InternalRow> rows = java.util.Collections.emptyIterator();
  private boolean ended;

  /**
   * Creates the rows.
   *
   * @param results the columns, chunk by chunk
   * @param schema the names and types of the columns
   * @param end called once when all rows have been returned
   */
  ResultRows(Iterator<Columns> results, StructType schema, Runnable end) {
    this.results = results;
    this.schema = schema;
    this.end = end;
  }

  @Override
  public boolean hasNext() {
    while (!rows.hasNext()) {
      if (!results.hasNext()) {
        if (!ended) {
          ended = true;
          end.run();
        }
        return false;
      }
      rows = batch(results.next()).rowIterator();
    }
    return true;
  }

  @Override
  public InternalRow next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    return rows.next();
  }

  private ColumnarBatch batch(Columns columns) {
    int n = Math.toIntExact(columns.rows());
    ColumnVector[] vectors = new ColumnVector[schema.length()];
    for (int i = 0; i < vectors.length; i++) {
      WritableColumnVector vector = new OnHeapColumnVector(n, schema.fields()[i].dataType());
      fill(vector, columns.columns().get(i).values(), n);
      vectors[i] = vector;
    }
    return new ColumnarBatch(vectors, n);
  }

  private static void fill(WritableColumnVector vector, ArrayValue values, int n) {
    Object elements = values.data();
    if (elements instanceof double[] a) {
      vector.putDoubles(0, n, a, 0);
    } else if (elements instanceof long[] a) {
      vector.putLongs(0, n, a, 0);
    } else if (elements instanceof int[] a) {
      vector.putInts(0, n, a, 0);
    } else if (elements instanceof float[] a) {
      vector.putFloats(0, n, a, 0);
    } else if (elements instanceof byte[] a) {
      vector.putBytes(0, n, a, 0);
    } else if (elements instanceof boolean[] a) {
      for (int i = 0; i < n; i++) {
        vector.putBoolean(i, a[i]);
      }
    } else if (values.elemType() == ElemType.F16) {
      for (int i = 0; i < n; i++) {
        vector.putFloat(i, values.element(i).asFloat());
      }
    } else {
      vector.putShorts(0, n, (short[]) elements, 0);
    }
  }
}
