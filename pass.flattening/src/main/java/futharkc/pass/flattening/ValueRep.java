package futharkc.pass.flattening;

import futharkc.core.ir.Name;
import futharkc.core.ir.Slice;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Where the values are that a name of a nest has in the segments of that nest. */
sealed interface ValueRep {
  /** Whether a value is a part of an array, or a row of one, that is looked up where it is used. */
  default boolean isPart() {
    return this instanceof Part || this instanceof Row r && r.of().rep().isPart();
  }

  /** In one array, whose outer dimensions are those of the nest. At the top: the value itself. */
  record Regular(Name array) implements ValueRep {}

  /**
   * Arrays of differing sizes, as parts of one.
   *
   * @param sizes for each segment by row-major number, how many scalars its array has
   * @param offsets for each, where these begin
   * @param data the scalars, row-major within each segment; one-dimensional
   * @param dense whether the data consists of the arrays of all segments in order, without gaps;
   *     else segments may share parts
   */
  record Irregular(Name sizes, Name offsets, Name data, boolean dense) implements ValueRep {}

  /** The element, at the place in the innermost map, of an array that the host knows. */
  record HostRow(Name array) implements ValueRep {}

  /** The element, at the place in the innermost map, of an array of an outer nest. */
  record Row(LiftedName of) implements ValueRep {}

  /**
   * A part of an array, of the same sizes in all segments but not at the same place: it is looked
   * up where it is used.
   *
   * @param of the array, where it varies; else null
   * @param array its name
   * @param slice the part; its indices may vary
   * @param checks what says that the part is there
   */
  record Part(@Nullable LiftedName of, Name array, Slice slice, List<Name> checks)
      implements ValueRep {
    public Part {
      checks = List.copyOf(checks);
    }
  }

  /** An accumulator, which all segments share: what it is called at this point. */
  record Accumulator(Name current) implements ValueRep {}

  /** A check: the certificate that says that it holds in all segments. */
  record Certificate(Name all) implements ValueRep {}
}
