package futharkc.core.ir;

import java.util.List;

/**
 * A selection from a one-dimensional array by an LMAD: an offset, and a count and stride for each
 * dimension of the result.
 */
public record FlatSlice(SubExp offset, List<Dim> dims) {
  public FlatSlice {
    dims = List.copyOf(dims);
  }

  /** One dimension of the result. */
  public record Dim(SubExp count, SubExp stride) {}

  /** Returns the shape of the result. */
  public List<SubExp> shape() {
    return dims.stream().map(Dim::count).toList();
  }
}
