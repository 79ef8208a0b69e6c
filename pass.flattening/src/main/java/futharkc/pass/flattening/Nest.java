package futharkc.pass.flattening;

import futharkc.core.ir.Name;
import futharkc.core.ir.SubExp;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A nest: the parallel maps around some code. The code is evaluated once for each segment of the
 * nest.
 */
sealed interface Nest {
  /** The outermost nest: code of the host or of a thread block, evaluated once. */
  record Top(FlatteningLevel place) implements Nest {
    @Override
    public List<SubExp> dims() {
      return List.of();
    }

    @Override
    public @Nullable Nest outer() {
      return null;
    }
  }

  /** A nest inside a map whose width is the same in all outer segments: one more dimension. */
  record Uniform(Nest outer, SubExp width) implements Nest {
    @Override
    public List<SubExp> dims() {
      List<SubExp> dims = new ArrayList<>(outer.dims());
      dims.add(width);
      return dims;
    }
  }

  /**
   * A nest of consecutive segments, each of which belongs to an outer segment. It results from a
   * map of varying width, or from a branch that only some segments take.
   *
   * @param count the number of segments
   * @param ids for each segment, the row-major number of its outer segment; {@code [count]i64}
   * @param offsets the offset of each outer segment's first segment, by row-major number; null for
   *     a branch
   */
  record Flat(Nest outer, SubExp count, Name ids, @Nullable Name offsets) implements Nest {
    @Override
    public List<SubExp> dims() {
      return List.of(count);
    }
  }

  /** The nest of host code. */
  Nest TOP = new Top(FlatteningLevel.HOST);

  /** Returns the sizes of the space of all segments, as names of the host. */
  List<SubExp> dims();

  /** Returns the nest around the innermost map; null at the top. */
  @Nullable Nest outer();
}
