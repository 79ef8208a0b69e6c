package futharkc.core.ir.analysis;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.BinOp;
import futharkc.core.ir.Exp;
import futharkc.core.ir.FreeNames;
import futharkc.core.ir.Lambda;
import futharkc.core.ir.Name;
import futharkc.core.ir.Param;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

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
   * of scalars, or several each of which has an operator of its own. Where a target has an
   * instruction for the operator, that is meant.
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
      Lambda l = op.lambda();
      List<Param> scalars = l.params().subList(rank, l.params().size());
      if (isOneByOne(new Lambda(scalars, l.body(), l.results()), arrays.size())) {
        choices.add(COMPARE_AND_SET);
      }
    }
    choices.add(LOCK);
    return choices;
  }

  /**
   * Whether scalars can be updated one by one: there is a single one, or each has an operator of
   * its own.
   *
   * @param op takes the old values, then the new ones
   */
  public static boolean isOneByOne(Lambda op, int operands) {
    if (operands == 1) return true;
    for (int j = 0; j < operands; j++) if (ofOperand(op, operands, j) == null) return false;
    return true;
  }

  /**
   * The operator of one of several operands, if it is applied to that alone; else null.
   *
   * @param op takes the old values, then the new ones
   */
  public static @Nullable BinOp ofOperand(Lambda op, int operands, int j) {
    if (!(op.body().results().get(j) instanceof SubExp.Var r)) return null;
    SubExp old = SubExp.of(op.params().get(j).name());
    SubExp added = SubExp.of(op.params().get(operands + j).name());
    for (Stm s : op.body().stms()) {
      if (!s.pat().get(0).name().equals(r.name())) continue;
      if (!(s.exp() instanceof BasicOp.BinOpExp b)) return null;
      boolean inOrder = b.left().equals(old) && b.right().equals(added);
      boolean swapped = b.left().equals(added) && b.right().equals(old) && b.op().isCommutative();
      return inOrder || swapped ? b.op() : null;
    }
    return null;
  }

  /** Whether an operator on scalars is known to be commutative. */
  public static boolean commutes(Lambda op, int operands) {
    for (int j = 0; j < operands; j++) {
      BinOp b = ofOperand(op, operands, j);
      if (b == null || !b.isCommutative()) return false;
    }
    return true;
  }

  /** Whether an operator on scalars gives the very same result in whatever order it is applied. */
  public static boolean isExactInAnyOrder(Lambda op, int operands) {
    for (int j = 0; j < operands; j++) {
      BinOp b = ofOperand(op, operands, j);
      if (b == null || !b.isExactInAnyOrder()) return false;
    }
    return true;
  }

  private static boolean usesIndex(Lambda op, int rank) {
    Set<Name> used = FreeNames.of(op.body());
    return op.params().subList(0, rank).stream().anyMatch(p -> used.contains(p.name()));
  }
}
