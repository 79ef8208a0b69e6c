package futharkc.pass.flattening;

import futharkc.core.ir.Name;
import futharkc.core.ir.Slice;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The representation of a name's values in all segments of a nest. */
sealed interface ValueRep {
  /** Tests whether the value is a slice or a row of an array, which kernels read at its uses. */
  default boolean isPart() {
    return this instanceof Part || this instanceof Row r && r.of().rep().isPart();
  }

  /** One array whose outer dimensions are those of the nest. At the top, the value itself. */
  record Regular(Name array) implements ValueRep {}

  /**
   * Segments of varying sizes in a flat array.
   *
   * @param sizes the scalar count of each segment, by row-major number
   * @param offsets the offset of each segment, by row-major number
   * @param data the scalars, row-major within each segment; one-dimensional
   * @param dense whether the data contains all segments in order, without gaps; else segments may
   *     overlap
   */
  record Irregular(Name sizes, Name offsets, Name data, boolean dense) implements ValueRep {}

  /** The element of a host array at the position within the innermost map. */
  record HostRow(Name array) implements ValueRep {}

  /** The element, at the position within the innermost map, of an array of an outer nest. */
  record Row(LiftedName of) implements ValueRep {}

  /**
   * A slice of an array. Its sizes are the same in all segments, its position varies. Kernels read
   * the slice at its uses.
   *
   * @param of the array if it varies; else null
   * @param array the name of the array
   * @param slice the slice, whose indices may vary
   * @param checks the certificates of the slice's bounds
   */
  record Part(@Nullable LiftedName of, Name array, Slice slice, List<Name> checks)
      implements ValueRep {
    public Part {
      checks = List.copyOf(checks);
    }
  }

  /**
   * An accumulator that all segments share.
   *
   * @param current the current name of the accumulator
   */
  record Accumulator(Name current) implements ValueRep {}

  /**
   * A certificate.
   *
   * @param all the certificate that a check holds in all segments
   */
  record Certificate(Name all) implements ValueRep {}
}
