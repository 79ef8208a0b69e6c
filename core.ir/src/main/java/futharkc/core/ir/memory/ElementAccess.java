package futharkc.core.ir.memory;

import futharkc.core.ir.ArrayMem;
import futharkc.core.ir.Loc;
import futharkc.core.ir.Name;
import futharkc.core.ir.Poly;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An access to elements of an array, one element in each iteration of a nest of loops and parallel
 * operations.
 *
 * @param kind the kind of access
 * @param array the array
 * @param place the memory of the array
 * @param elem the element type
 * @param index the index in each dimension, as a polynomial in indices of iterations, and in other
 *     scalars that were not expressed by them
 * @param nest the iterations around the access, outermost first
 * @param irregular the indices of iterations on which other scalars of the index depend, for
 *     example loaded ones
 * @param frequency the estimated fraction of iterations that have the access, from 0 to 1
 * @param operation the outermost parallel operation around the access; null for host code
 * @param loc the source location
 */
public record ElementAccess(
    Kind kind,
    Name array,
    ArrayMem place,
    PrimType elem,
    List<Poly> index,
    List<Iteration> nest,
    Set<Name> irregular,
    double frequency,
    @Nullable Stm operation,
    Loc loc) {
  public ElementAccess {
    index = List.copyOf(index);
    nest = List.copyOf(nest);
    irregular = Set.copyOf(irregular);
  }

  /** Returns this access in another nest, for example with loops interchanged. */
  public ElementAccess in(List<Iteration> other) {
    return new ElementAccess(
        kind, array, place, elem, index, other, irregular, frequency, operation, loc);
  }

  /** The kinds of accesses. */
  public enum Kind {
    READ,
    WRITE,
    /** An update of an accumulator. */
    UPDATE
  }

  /**
   * A loop, or one dimension of a parallel operation.
   *
   * @param index the index, from 0
   * @param size the number of iterations; null if it is unknown before the loop ends
   * @param level where the iteration takes place
   */
  public record Iteration(Name index, @Nullable SubExp size, Level level) {}

  /** The places of an iteration. */
  public enum Level {
    /** A loop around parallel operations. */
    HOST,
    /** An outer dimension of a parallel operation. */
    OUTER,
    /** The innermost dimension of a parallel operation: neighbouring threads on a device. */
    INNER,
    /** A loop inside a parallel operation. */
    LOOP
  }
}
