package futharkc.core.ir;

import java.util.List;

/**
 * A rectangular index space.
 *
 * @param flat the name bound to the row-major index
 */
public record SegSpace(Name flat, List<Dim> dims) {
  public SegSpace {
    dims = List.copyOf(dims);
  }

  /** One dimension: the name bound to its i64 index, and its size. */
  public record Dim(Name index, SubExp size) {}

  /** Returns the sizes, outermost first. */
  public List<SubExp> shape() {
    return dims.stream().map(Dim::size).toList();
  }
}
