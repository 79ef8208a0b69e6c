package futharkc.core.ir;

import java.util.List;

/** A selection from each dimension of an array. */
public record Slice(List<Dim> dims) {
  public Slice {
    dims = List.copyOf(dims);
  }

  /** A selection from one dimension. */
  public sealed interface Dim {}

  /** One index; the dimension goes away. */
  public record Fix(SubExp index) implements Dim {}

  /** {@code start, start + stride, ...}: {@code count} indices; the stride may be negative. */
  public record Range(SubExp start, SubExp count, SubExp stride) implements Dim {}

  /**
   * The slice of one element or row per index given, and everything of the other dimensions of the
   * shape.
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

  /** The sizes of the dimensions that remain. */
  public List<SubExp> shape() {
    return dims.stream().filter(Range.class::isInstance).map(d -> ((Range) d).count()).toList();
  }

  /** Whether this selects one element. */
  public boolean isElement() {
    return dims.stream().allMatch(Fix.class::isInstance);
  }
}
