package futharkc.core.ir;

import java.util.List;

/**
 * A rectangular index space.
 *
 * @param flat bound to the row-major index
 */
public record SegSpace(Name flat, List<Dim> dims) {
  public SegSpace {
    dims = List.copyOf(dims);
  }

  /** One dimension: the index, bound to an i64, and the size. */
  public record Dim(Name index, SubExp size) {}

  /** The sizes, outermost first. */
  public List<SubExp> shape() {
    return dims.stream().map(Dim::size).toList();
  }
}
