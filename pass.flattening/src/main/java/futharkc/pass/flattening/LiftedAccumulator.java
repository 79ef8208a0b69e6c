package futharkc.pass.flattening;

import futharkc.core.ir.Name;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An accumulator that all segments of a nest share.
 *
 * @param nest the nest of the segments
 * @param space the sizes that index the shared accumulator
 * @param inner the sizes that index the accumulator of one segment
 * @param elems the types of the values at an index
 * @param offsets the offset of each segment in the flat accumulator; null if the segment's indices
 *     are leading indices
 * @param row the shape of the original values at an index if updates are now per element, else
 *     empty
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
