package futharkc.backend.interpreter;

import java.util.Iterator;
import java.util.NoSuchElementException;

/**
 * An iterator over all indices of a shape in row-major or reverse order. The caller must neither
 * change nor keep an index.
 */
final class Indices implements Iterable<long[]> {
  private final long[] shape;
  private final boolean backwards;

  private Indices(long[] shape, boolean backwards) {
    this.shape = shape;
    this.backwards = backwards;
  }

  static Indices of(long[] shape) {
    return new Indices(shape, false);
  }

  static Indices of(long[] shape, boolean backwards) {
    return new Indices(shape, backwards);
  }

  @Override
  public Iterator<long[]> iterator() {
    long n = ArrayView.size(shape);
    return new Iterator<>() {
      private final long[] index = new long[shape.length];
      private long done;

      @Override
      public boolean hasNext() {
        return done < n;
      }

      @Override
      public long[] next() {
        if (done >= n) {
          throw new NoSuchElementException();
        }
        long flat = backwards ? n - 1 - done : done;
        done++;
        for (int d = shape.length - 1; d >= 0; d--) {
          index[d] = flat % shape[d];
          flat /= shape[d];
        }
        return index;
      }
    };
  }
}
