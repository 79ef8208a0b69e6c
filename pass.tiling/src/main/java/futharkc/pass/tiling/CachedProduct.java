package futharkc.pass.tiling;

import futharkc.core.ir.BinOp;
import futharkc.core.ir.Name;
import futharkc.core.ir.PrimFun;
import futharkc.core.ir.PrimType;
import futharkc.core.ir.imperative.Code;
import futharkc.core.ir.imperative.CodeCopies;
import futharkc.core.ir.imperative.CodeSearch;
import futharkc.core.ir.imperative.Expr;
import futharkc.core.ir.imperative.Variables;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A product whose steps are partitioned by the dimensions with which their values vary.
 *
 * @param product the product
 * @param accumulators the variables that steps update
 * @param ofRow the statements of a step that are the same for all columns
 * @param ofColumn the statements of a step that are the same for all rows
 * @param ofBoth the statements of a step that depend on row and column, or on accumulators
 * @param packed the variables of columns that {@code ofBoth} reads
 * @param depth the number of steps that one loop over columns executes, a power of two
 */
record CachedProduct(
    Product product,
    List<Code.Variable> accumulators,
    List<Code> ofRow,
    List<Code> ofColumn,
    List<Code> ofBoth,
    List<Code.Variable> packed,
    int depth) {
  /**
   * Partitions the steps of the only product of a computation. A step includes the statements
   * before the product on which it depends.
   *
   * @return null if the JVM does not vectorise the steps over columns, or if the computation has
   *     other loops
   */
  static @Nullable CachedProduct of(Iteration iteration, CacheTiles limits) {
    Product product = null;
    List<Code> before = new ArrayList<>();
    for (Iteration.Step s : iteration.before()) {
      switch (s) {
        case Iteration.Plain p -> before.addAll(p.plain());
        case Iteration.Tiled t -> {
          if (product != null) {
            return null;
          }
          product = t.product();
        }
        case Iteration.Around _ -> {
          return null;
        }
      }
    }
    if (product == null || !CodeCopies.isPureBut(iteration.after(), s -> true)) {
      return null;
    }
    return new Partition(iteration, limits, product, before).result();
  }

  /** Returns the type of the accumulators and packed values. */
  PrimType type() {
    return accumulators.getFirst().type();
  }

  /** The partition of one product. */
  private static final class Partition {
    private final Iteration iteration;
    private final CacheTiles limits;
    private final Product product;
    private final List<Code> before;
    private final List<Code.Variable> accumulators = new ArrayList<>();
    private final List<Code> ofRow = new ArrayList<>();
    private final List<Code> ofColumn = new ArrayList<>();
    private final List<Code> ofBoth = new ArrayList<>();
    private final Set<Name> both = new HashSet<>();

    Partition(Iteration iteration, CacheTiles limits, Product product, List<Code> before) {
      this.iteration = iteration;
      this.limits = limits;
      this.product = product;
      this.before = before;
      Set<Name> assigned = Variables.assignedBy(product.body());
      for (Code.Variable v : Variables.declaredBy(before)) {
        if (assigned.contains(v.name())) {
          accumulators.add(v);
        }
      }
    }

    @Nullable CachedProduct result() {
      if (accumulators.isEmpty() || accumulators.size() > limits.accumulators()) {
        return null;
      }
      PrimType type = accumulators.getFirst().type();
      for (Code.Variable v : accumulators) {
        both.add(v.name());
      }
      if (!both.containsAll(Variables.assignedBy(product.body()))) {
        return null;
      }
      for (Code c : needed(before)) {
        if (!add(c)) {
          return null;
        }
      }
      for (Staged s : product.staged()) {
        Expr load = new Expr.Load(s.block(), s.type(), s.index());
        add(new Code.Declare(s.value(), s.type(), load));
      }
      for (Code c : product.body()) {
        if (!add(c)) {
          return null;
        }
      }
      List<Code.Variable> packed = packed();
      if (packed.size() > limits.packed()) {
        return null;
      }
      int operations = 0;
      for (Code c : ofBoth) {
        Expr value = c instanceof Code.Declare d ? d.value() : ((Code.Assign) c).value();
        if (value == null || !isVector(value, type)) {
          return null;
        }
        operations += operations(value);
      }
      int depth = limits.depth();
      while (depth * operations > limits.operations()) {
        depth /= 2;
      }
      return depth < 2
          ? null
          : new CachedProduct(product, accumulators, ofRow, ofColumn, ofBoth, packed, depth);
    }

    /** Adds a statement of a step to its parts; returns false for statements other than scalars. */
    private boolean add(Code c) {
      if (!(c instanceof Code.Declare || c instanceof Code.Assign)) {
        return false;
      }
      boolean isOfBoth =
          c instanceof Code.Assign
              || Variables.readBy(List.of(c)).stream().anyMatch(both::contains);
      Set<Side> sides = iteration.variance().of(c);
      if (isOfBoth || sides.size() == 2) {
        if (c instanceof Code.Declare d) {
          both.add(d.name());
        }
        ofBoth.add(c);
        return true;
      }
      if (!sides.contains(Side.COLUMN)) {
        ofRow.add(c);
      }
      if (!sides.contains(Side.ROW)) {
        ofColumn.add(c);
      }
      return true;
    }

    /** Returns the statements before the product on which its steps depend. */
    private List<Code> needed(List<Code> before) {
      Set<Name> used = product.reads();
      List<Code> needed = new ArrayList<>();
      for (Code c : before.reversed()) {
        Set<Name> made = new HashSet<>(Variables.assignedBy(List.of(c)));
        Variables.declaredBy(c).forEach(v -> made.add(v.name()));
        made.removeAll(both);
        if (!Collections.disjoint(made, used)) {
          needed.addFirst(c);
          used.addAll(Variables.readBy(List.of(c)));
        }
      }
      return needed;
    }

    private List<Code.Variable> packed() {
      Set<Name> used = Variables.readBy(ofBoth);
      Set<Name> row = new LinkedHashSet<>(CodeCopies.declared(ofRow));
      List<Code.Variable> packed = new ArrayList<>();
      for (Code.Variable v : Variables.declaredBy(ofColumn)) {
        if (used.contains(v.name()) && !row.contains(v.name())) {
          packed.add(v);
        }
      }
      return packed;
    }
  }

  private static int operations(Expr e) {
    int[] count = {0};
    CodeSearch.anyPartOf(
        e,
        x -> {
          count[0] += x instanceof Expr.Var || x instanceof Expr.Const ? 0 : 1;
          return false;
        });
    return count[0];
  }

  /** Tests whether the JVM has vector operations of this type for a value. */
  private static boolean isVector(Expr e, PrimType type) {
    return e.type() == type
        && switch (e) {
          case Expr.Const _, Expr.Var _ -> true;
          case Expr.Binary b ->
              isVector(b.op()) && isVector(b.left(), type) && isVector(b.right(), type);
          case Expr.Apply a ->
              a.fun().kind() == PrimFun.Kind.SQRT && isVector(a.args().getFirst(), type);
          case Expr.Index _,
              Expr.Unary _,
              Expr.Compare _,
              Expr.Convert _,
              Expr.Load _,
              Expr.Capacity _,
              Expr.Tuning _ ->
              false;
        };
  }

  private static boolean isVector(BinOp op) {
    return switch (op.kind()) {
      case FADD, FSUB, FMUL, FDIV -> op.type() == PrimType.F32 || op.type() == PrimType.F64;
      case ADD, SUB, MUL, AND, OR, XOR -> op.type() == PrimType.I32 || op.type() == PrimType.I64;
      default -> false;
    };
  }
}
