package futharkc.pass.flattening;

import futharkc.core.ir.Name;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One accumulator for all segments of a nest, instead of one in each.
 *
 * @param nest the segments
 * @param space the sizes that updates are indexed over
 * @param inner the sizes that they were indexed over in one segment
 * @param elems the types of what is written at an index
 * @param offsets where the part of each segment begins, if these are of differing sizes; else they
 *     are indexed by the segment first
 * @param row the sizes of what was written at an index, if it is now written element by element
 */
record LiftedAccumulator(
    Nest nest,
    List<SubExp> space,
    List<SubExp> inner,
    List<Type> elems,
    @Nullable Name offsets,
    List<SubExp> row) {
  LiftedAccumulator {
    space = List.copyOf(space);
    inner = List.copyOf(inner);
    elems = List.copyOf(elems);
    row = List.copyOf(row);
  }
}
