package futharkc.core.ir.analysis;

import futharkc.core.ir.BasicOp;
import futharkc.core.ir.BinOp;
import futharkc.core.ir.Exp;
import futharkc.core.ir.FreeNames;
import futharkc.core.ir.Lambda;
import futharkc.core.ir.Name;
import futharkc.core.ir.Param;
import futharkc.core.ir.SegOp;
import futharkc.core.ir.Stm;
import futharkc.core.ir.SubExp;
import futharkc.core.ir.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The correct methods to update an accumulator from many threads. All targets share this decision.
 * A target uses the first of the {@link #choices} that it supports.
 */
public enum UpdateStrategy {
  /**
   * Plain stores, for accumulators without an operator: any of several concurrent writes may win.
   */
  STORE,

  /** A load, the operator and a store, if no other thread updates the accumulator. */
  ALONE,

  /**
   * One copy of the arrays per worker, initialised with neutral elements and combined afterwards.
   * This requires a commutative operator, which is assumed, and pays off with many updates per
   * element; see {@link #ELEMENTS_PER_UPDATE}.
   */
  COPIES,

  /**
   * A compare-and-set loop per element, or an atomic instruction if the target has one for the
   * operator. Applies to one array of scalars, or to several arrays with independent operators.
   */
  COMPARE_AND_SET,

  /** A lock per element, for any element types and operators. */
  LOCK;

  /**
   * The maximum ratio of elements in all copies to updates for which {@link #COPIES} pays off.
   * Clearing and combining take a few operations per element; a lock or a failed compare-and-set
   * takes about ten times as many.
   */
  public static final int ELEMENTS_PER_UPDATE = 2;

  /**
   * Returns the correct methods for an accumulator, best first.
   *
   * @param in the accumulator's arrays and operator, in any representation
   * @param arrays the types of the arrays
   * @param alone true if only one thread updates the accumulator, which begins and ends in one
   *     iteration
   */
  public static List<UpdateStrategy> choices(Exp.AccInput in, List<Type> arrays, boolean alone) {
    Exp.AccOp op = in.op();
    if (op == null) {
      return List.of(STORE);
    }
    if (alone) {
      return List.of(ALONE);
    }
    List<UpdateStrategy> choices = new ArrayList<>();
    int rank = in.space().size();
    if (arrays.stream().allMatch(t -> t.rank() == rank)) {
      if (!usesIndex(op.lambda(), rank)) {
        choices.add(COPIES);
      }
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
   * Tests whether scalars can be updated individually: there is a single scalar, or each has an
   * independent operator.
   *
   * @param op an operator that takes the old values, then the new values
   */
  public static boolean isOneByOne(Lambda op, int operands) {
    if (operands == 1) {
      return true;
    }
    for (int j = 0; j < operands; j++) {
      if (ofOperand(op, operands, j) == null) {
        return false;
      }
    }
    return true;
  }

  /**
   * Returns the operator of operand {@code j} if it depends on that operand alone, otherwise null.
   *
   * @param op an operator that takes the old values, then the new values
   */
  public static @Nullable BinOp ofOperand(Lambda op, int operands, int j) {
    if (!(op.body().results().get(j) instanceof SubExp.Var r)) {
      return null;
    }
    SubExp old = SubExp.of(op.params().get(j).name());
    SubExp added = SubExp.of(op.params().get(operands + j).name());
    for (Stm s : op.body().stms()) {
      if (!s.pat().get(0).name().equals(r.name())) {
        continue;
      }
      if (!(s.exp() instanceof BasicOp.BinOpExp b)) {
        return null;
      }
      boolean inOrder = b.left().equals(old) && b.right().equals(added);
      boolean swapped = b.left().equals(added) && b.right().equals(old) && b.op().isCommutative();
      return inOrder || swapped ? b.op() : null;
    }
    return null;
  }

  /** Tests whether an operator on scalars is known to be commutative. */
  public static boolean commutes(SegOp.SegBinOp op) {
    return op.commutative() || commutes(op.op(), op.neutral().size());
  }

  /** Tests whether an operator is a commutative one on each of its operands. */
  public static boolean commutes(Lambda op, int operands) {
    for (int j = 0; j < operands; j++) {
      BinOp b = ofOperand(op, operands, j);
      if (b == null || !b.isCommutative()) {
        return false;
      }
    }
    return true;
  }

  /** Tests whether an operator on scalars gives identical results in any order of application. */
  public static boolean isExactInAnyOrder(Lambda op, int operands) {
    for (int j = 0; j < operands; j++) {
      BinOp b = ofOperand(op, operands, j);
      if (b == null || !b.isExactInAnyOrder()) {
        return false;
      }
    }
    return true;
  }

  private static boolean usesIndex(Lambda op, int rank) {
    Set<Name> used = FreeNames.of(op.body());
    return op.params().subList(0, rank).stream().anyMatch(p -> used.contains(p.name()));
  }
}
