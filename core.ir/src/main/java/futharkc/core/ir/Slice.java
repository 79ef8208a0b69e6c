package futharkc.core.ir;

import java.util.List;

/** A selection from each dimension of an array. */
public record Slice(List<Dim> dims) {
  public Slice {
    dims = List.copyOf(dims);
  }

  /** A selection from one dimension. */
  public sealed interface Dim {}

  /** A single index, which removes the dimension. */
  public record Fix(SubExp index) implements Dim {}

  /** {@code count} indices {@code start, start + stride, ...}. The stride may be negative. */
  public record Range(SubExp start, SubExp count, SubExp stride) implements Dim {}

  /**
   * Returns the slice with the given indices in the outer dimensions of the shape and all of the
   * remaining dimensions.
   */
  public static Slice fix(List<SubExp> indices, List<SubExp> shape) {
    java.util.ArrayList<Dim> dims = new java.util.ArrayList<>();
    for (int i = 0; i < shape.size(); i++) {
      dims.add(
          i < indices.size()
              ? new Fix(indices.get(i))
              : new Range(SubExp.i64(0), shape.get(i), SubExp.i64(1)));
    }
    return new Slice(dims);
  }

  /** Returns the sizes of the remaining dimensions. */
  public List<SubExp> shape() {
    return dims.stream().filter(Range.class::isInstance).map(d -> ((Range) d).count()).toList();
  }

  /** Tests whether the slice selects a single element. */
  public boolean isElement() {
    return dims.stream().allMatch(Fix.class::isInstance);
  }
}
