package futharkc.pass.flattening;

import futharkc.core.ir.Name;
import futharkc.core.ir.SubExp;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What surrounds a piece of code: the maps that it is inside of, as far as they have become
 * parallel. The code is evaluated once for each segment of the nest.
 */
sealed interface Nest {
  /** Host code, or code of a thread block: evaluated once. */
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

  /** A map of the same width everywhere: one more dimension. */
  record Uniform(Nest outer, SubExp width) implements Nest {
    @Override
    public List<SubExp> dims() {
      List<SubExp> dims = new ArrayList<>(outer.dims());
      dims.add(width);
      return dims;
    }
  }

  /**
   * Segments in a row, each of which belongs to a segment outside: a map of a width that varies, or
   * a branch that not all segments take.
   *
   * @param count how many there are
   * @param ids for each, the row-major number of the segment outside; {@code [count]i64}
   * @param offsets of a map: where the segments of each outer one begin, by row-major number
   */
  record Flat(Nest outer, SubExp count, Name ids, @Nullable Name offsets) implements Nest {
    @Override
    public List<SubExp> dims() {
      return List.of(count);
    }
  }

  /** Host code. */
  Nest TOP = new Top(FlatteningLevel.HOST);

  /** The sizes of the space of all segments: those of the host. */
  List<SubExp> dims();

  /** What surrounds the innermost map; null at the top. */
  @Nullable Nest outer();
}
