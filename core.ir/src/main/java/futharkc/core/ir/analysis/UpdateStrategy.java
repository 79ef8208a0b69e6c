package futharkc.core.ir.analysis;

import futharkc.core.ir.Exp;
import futharkc.core.ir.FreeNames;
import futharkc.core.ir.Lambda;
import futharkc.core.ir.Name;
import futharkc.core.ir.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * How the updates of an accumulator can be made where many threads may make them at once: the one
 * place where that is decided, for all targets. A target takes the first of the {@link #choices}
 * that it has the means for.
 */
public enum UpdateStrategy {
  /** Plain stores: there is no operator, and of several writes any may win. */
  STORE,

  /** A load, the operator, and a store: nobody else updates the same. */
  ALONE,

  /**
   * A copy of the arrays for each worker, which begin with neutral elements and are combined
   * afterwards. Pays where there are many updates for each element, see {@link
   * #ELEMENTS_PER_UPDATE}; the operator is taken to be commutative.
   */
  COPIES,

  /**
   * The element is read and replaced if it is still the same then, else all over again: one array
   * of scalars. Where a target has an instruction for the operator, that is meant.
   */
  COMPARE_AND_SET,

  /** Under a lock for the element; of any elements and operators. */
  LOCK;

  /**
   * Copies pay if their elements are, taken together, no more than this many times the updates: to
   * clear and combine them takes a few operations an element, and a lock or a failed
   * compare-and-set ten times as many.
   */
  public static final int ELEMENTS_PER_UPDATE = 2;

  /**
   * The ways to update that are right, the best one first.
   *
   * @param in what is updated, in any representation
   * @param arrays the types of the arrays
   * @param alone whether only one thread updates: the accumulator begins in the same iteration
   */
  public static List<UpdateStrategy> choices(Exp.AccInput in, List<Type> arrays, boolean alone) {
    Exp.AccOp op = in.op();
    if (op == null) return List.of(STORE);
    if (alone) return List.of(ALONE);
    List<UpdateStrategy> choices = new ArrayList<>();
    int rank = in.space().size();
    if (arrays.stream().allMatch(t -> t.rank() == rank)) {
      if (!usesIndex(op.lambda(), rank)) choices.add(COPIES);
      if (arrays.size() == 1) choices.add(COMPARE_AND_SET);
    }
    choices.add(LOCK);
    return choices;
  }

  private static boolean usesIndex(Lambda op, int rank) {
    Set<Name> used = FreeNames.of(op.body());
    return op.params().subList(0, rank).stream().anyMatch(p -> used.contains(p.name()));
  }
}
